"""Runs `linesman layout` on seeded mutations of a binary. Each must end with 0
and a report, or with 2, a message and nothing on stdout; JSON must parse.

    mutate.py COUNT BINARY SCRATCH-FILE [code | dwarf | types | debug-file=STRIPPED]

With "code", instructions are damaged too, and read; with "dwarf", nothing but
DWARF is; with "types", findings of types are asked for. A debug file is read for the binary whose it is.
"""

import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from mutation import Mutation, part_of

count, binary, scratch = part_of(int(sys.argv[1])), sys.argv[2], sys.argv[3]
what, _, stripped = (sys.argv[4:] + [""])[0].partition("=")
mutation = Mutation(open(binary, "rb").read(), what)
random.seed(20240601)


ends = {0: 0, 2: 0}
crashes = 0
for number in range(count):
    with open(scratch, "wb") as file:
        file.write(mutation.make())
    form = random.choice(["text", "json"])
    read = [f"--debug-file={scratch}", stripped] if stripped else [scratch]
    facts = "code" if what in ("code", "dwarf") else "auto"
    command = ["linesman", "layout", f"--facts={facts}", f"--format={form}", *["--types"] * (what == "types"), *read]
    run = subprocess.run(command, capture_output=True, timeout=60)
    # With a sanitizer, crashes of LLVM's own library, which has none, are not survived.
    frames = re.findall(rb"^ *#\d+ .*", run.stderr, re.M)[:8]
    if run.returncode not in ends and any(b"libLLVM" in f for f in frames) and not any(b"linesman::" in f for f in frames[:5]):
        crashes += 1
        continue
    where = f"mutation {number} ({form}, kept in {scratch}): exit {run.returncode}: {run.stderr.decode()}"
    assert run.returncode in ends, where
    ends[run.returncode] += 1
    if run.returncode == 2:
        assert run.stderr.startswith(b"linesman: error: ") and not run.stdout, where
    elif form == "json":
        json.loads(run.stdout, parse_constant=lambda word: sys.exit(f"{where}: {word} in the report"))
    else:
        assert run.stdout, where
# Debug information is for people: without it the report is less, not nothing.
assert crashes <= count // 20, f"{crashes} crashes of LLVM's reader"
assert ends[0] and bool(ends[2]) == (what != "dwarf"), f"unexpected ends: {ends}"
