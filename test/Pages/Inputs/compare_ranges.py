"""Compares the static pages that `linesman pages` finds from outside with those
that the shim finds from inside: compare_ranges.py SHIM PROGRAM... -- ARGUMENTS..."""

import json
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "Runtime/Inputs"))
from shim import START, Shim

split = sys.argv.index("--")
shim, programs, arguments = os.path.abspath(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1 :]
for program in programs:
    host = Shim(shim, [program, *arguments])
    inside = {
        os.path.realpath(path or program): {a - bias for begin, end in ranges for a in range(begin, end, 4096)}
        for path, bias, ranges in host.modules()
    }
    host.ask(START)
    pid = host.process.stdout.readline().split()[1]
    report = subprocess.run(["linesman", "pages", pid, "--format=json"], stdout=subprocess.PIPE, check=True)
    host.process.communicate("")
    outside = {
        os.path.realpath(module["path"]): {
            int(page["address"], 16) + 4096 * i for page in module["pages"] for i in range(page["count"])
        }
        for module in json.loads(report.stdout)["modules"]
    }
    # What is opened after main's begin is known from outside only.
    outside = {path: pages for path, pages in outside.items() if path in inside or "added.so" not in path}
    for path in sorted({*outside, *inside}):
        if outside.get(path) != inside.get(path):
            sys.exit(f"{program}: {path}: {outside.get(path)} from outside, {inside.get(path)} by the shim")
    print(f"{os.path.basename(program)}: {len(inside)} modules agree")
