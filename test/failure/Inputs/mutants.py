"""Runs every command that reads a binary, or objects, on damaged ones.

    mutants.py COUNT LINESMAN BINARY OBJECT MAIN_OBJECT CLANG FOLDER [SEED]

BINARY was linked from OBJECT and MAIN_OBJECT. Each run must end with 0, 1 or 2;
with 2 there is a message, no output file, and nothing on stdout; 0 leaves one where
it was asked for. JSON must parse. Prints how the runs of each command ended."""

import collections
import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../layout/Inputs"))
from mutation import Mutation, part_of

count, linesman, binary, part, main, clang, folder = sys.argv[1:8]
count = part_of(int(count))
random.seed(int(sys.argv[8]) if len(sys.argv) > 8 else 20261123)
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
damaged, out = "damaged", "out"
binaries = [Mutation(open(binary, "rb").read(), what) for what in ("", "code", "dwarf")]
objects = [Mutation(open(part, "rb").read(), what) for what in ("", "dwarf")]
lock = "whole.lock"
subprocess.run([linesman, "lock", "-o", lock, binary], check=True)

# What damages what it reads, whether it makes "out", and its words.
COMMANDS = [
    (binaries, False, ["layout", "--facts=code", damaged]),
    (binaries, False, ["layout", "--types", "--format=json", damaged]),
    (binaries, True, ["layout", "--format=html", "-o", "out", damaged]),
    (binaries, True, ["layout", "--format=sarif", "-o", "out", damaged]),
    (binaries, False, ["layout", "--fail-on=located", "--guesses", damaged]),
    (binaries, False, ["diff", binary, damaged]),
    (binaries, False, ["diff", damaged, binary, "--format=json"]),
    (binaries, False, ["diff", f"--lock={lock}", damaged]),
    (binaries, True, ["lock", "-o", "out", damaged]),
    (binaries, True, ["plan", "-o", "out", damaged]),
    (binaries, False, ["scan", "--format=json", damaged]),
    (objects, False, ["layout", damaged]),
    (objects, False, ["layout", "--types", damaged]),
    (objects, False, ["findings", f"--objects={damaged}", "--format=json"]),
    (objects, True, ["relink", "--isolate=hits", "-o", "out", "--", clang, "-static", "-nostdlib", "-Wl,-e,main", "-fuse-ld=lld", main, damaged + ".o", "-o", "app"]),
    (objects, True, ["relink", "--pad=hits=64", "-o", "out", "--", clang, "-static", "-nostdlib", "-Wl,-e,main", "-fuse-ld=lld", main, damaged + ".o", "-o", "app"]),
]


def is_of_libraries(text):
    """With a sanitizer: a fault in a library of LLVM, which has none."""
    frames = re.findall(rb"^ *#\d+ .*", text, re.M)[:8]
    return any(b"libLLVM" in f for f in frames) and not any(b"linesman::" in f for f in frames[:5])


ends, in_libraries = collections.Counter(), 0
for number in range(count):
    sources, makes, words = COMMANDS[number % len(COMMANDS)]
    with open(damaged + ".o" if words[0] == "relink" else damaged, "wb") as file:
        file.write(random.choice(sources).make())
    if os.path.exists(out):
        os.unlink(out)
    run = subprocess.run([linesman, *words], capture_output=True, timeout=120)
    where = f"mutant {number}: linesman {' '.join(words)} (kept in {folder}): exit {run.returncode}: {run.stderr.decode(errors='replace')}"
    if run.returncode not in (0, 1, 2) and is_of_libraries(run.stderr):
        in_libraries += 1
        continue
    assert run.returncode in (0, 1, 2), where
    ends[words[0], run.returncode] += 1
    if run.returncode == 2:
        assert b"linesman: error: " in run.stderr, where
        assert not os.path.exists(out), where + " left a file"
        assert not run.stdout or words[0] == "scan", where
    elif makes and run.returncode == 0:
        assert os.path.exists(out), where + " made no file"
    if "--format=json" in words and run.returncode != 2:
        json.loads(run.stdout, parse_constant=lambda word: sys.exit(f"{where}: {word} in the report"))
assert in_libraries <= count // 20, f"{in_libraries} faults in libraries"
for (command, end), times in sorted(ends.items()):
    print(f"{command}: {times} ended with {end}")
