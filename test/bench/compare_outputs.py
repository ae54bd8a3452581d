# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comparison of compare-outputs.sh: compare_outputs.py OLD NEW FOLDER...

Each command runs once with each program, in the folder of its binaries. What it
prints (stdout, stderr, exit code) must be the same to the byte. No two runs of a
watched program are alike: of watch only the report is compared that it adds to,
and which findings got an observation. On a machine with one NUMA node bisect has
nothing to search, and what it says then is compared.
"""

import json
import os
import pathlib
import subprocess
import sys

LOG = "windows.log"
FORMS = {"text": [], "json": ["--format=json"]}

old, new = (os.path.abspath(program) for program in sys.argv[1:3])


def without_observation(text):
    """A report that watch has added to, without what depends on the run."""
    report = json.loads(text)
    for finding in report["findings"]:
        if "observed" in finding:
            finding.update(observed="", rung="", kind="")
    return json.dumps(report, indent=1)


def run(program, words, folder):
    (folder / LOG).unlink(missing_ok=True)
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if words[0] == "watch" and done.returncode == 0:
        return without_observation(done.stdout)
    # A message may name the program's own files.
    root = os.path.dirname(os.path.dirname(program))
    return f"{done.stdout}{done.stderr}exit code {done.returncode}".replace(root, "BUILD")


def difference(words, folder):
    """The first line that differs; empty where none does."""
    ours, theirs = (run(program, words, folder).splitlines() for program in (new, old))
    for number, (line, other) in enumerate(zip(ours, theirs), 1):
        if line != other:
            return f"line {number}: {other.strip()!r} was, {line.strip()!r} is"
    return "" if len(ours) == len(theirs) else f"{len(theirs)} lines were, {len(ours)} are"


def commands(binary, others):
    for form, option in FORMS.items():
        yield f"layout, {form}", ["layout", *option, binary]
        yield f"layout --all, {form}", ["layout", "--all", *option, binary]
        yield f"layout --types, {form}", ["layout", "--types", *option, binary]
        yield f"layout --facts=code, {form}", ["layout", "--facts=code", "--guesses", *option, binary]
        for other in others:
            yield f"diff {other}, {form}", ["diff", *option, binary, other]
    yield "lock", ["lock", binary, "-o", "-"]
    yield "plan", ["plan", binary]
    for form in ("cpp", "ld", "order"):
        yield f"plan --emit={form}", ["plan", f"--emit={form}", binary]


def running(binary, folder):
    """Commands that run the program: the examples take threads and rounds."""
    if folder.name == "memcached":
        return
    program = ["--", f"./{binary}", "2", "30000000"]
    report = f"{binary}.json"
    subprocess.run([new, "layout", "--format=json", "-o", report, binary], cwd=folder, check=True)
    if json.loads((folder / report).read_text())["findings"]:
        yield "watch, json", ["watch", f"--report={report}", "--top=1", "--duration=1", "--format=json", *program]
    for form, option in FORMS.items():
        yield f"bisect, {form}", ["bisect", "--metric=time", f"--log={LOG}", *option, *program]


def is_program(path):
    return path.is_file() and os.access(path, os.X_OK) and path.read_bytes()[:4] == b"\x7fELF"


compared, differ = 0, 0
for folder in map(pathlib.Path, sys.argv[3:]):
    binaries = sorted(path.name for path in folder.iterdir() if is_program(path))
    for binary in binaries:
        others = [name for name in binaries if name != binary][:1]
        for name, words in [*commands(binary, others), *running(binary, folder)]:
            found = difference(words, folder)
            compared += 1
            differ += bool(found)
            print(f"{folder.name}/{binary} | {name} | {found or 'equal'}", flush=True)
print(f"{compared} outputs compared, {differ} differ")
sys.exit(differ != 0)
