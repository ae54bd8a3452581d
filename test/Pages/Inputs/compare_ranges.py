"""Compares the static pages that `linesman pages` shows of a program with the
shim in it and without: compare_ranges.py PROGRAM... -- ARGUMENTS..."""

import json
import os
import subprocess
import sys

split = sys.argv.index("--")
programs, arguments = sys.argv[1:split], sys.argv[split + 1 :]


def pages_of(command):
    """Link-time addresses of all pages, by module. The loader knows modules by
    the name that it opened, the kernel by their own."""
    host = subprocess.Popen([*command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    pid = host.stdout.readline().split()[1]
    report = subprocess.run(["linesman", "pages", pid, "--format=json"], stdout=subprocess.PIPE, check=True)
    host.communicate("")
    return {
        os.path.realpath(module["path"]): {
            int(page["address"], 16) + 4096 * i for page in module["pages"] for i in range(page["count"])
        }
        for module in json.loads(report.stdout)["modules"]
    }


for program in programs:
    outside, inside = pages_of([program]), pages_of(["linesman", "run", "--", program])
    for path in sorted({*outside, *inside}):
        if outside.get(path) != inside.get(path):
            sys.exit(f"{program}: {path}: {outside.get(path)} from outside, {inside.get(path)} by the shim")
    print(f"{os.path.basename(program)}: {len(inside)} modules agree")
