#!/usr/bin/env python3
"""Do checks and the facts of one unit say more together than either alone?

    merged-list.py --build-dir BUILD ROWS

ROWS has a line for each unit:  NAME<tab>FOLDER<tab>SOURCE<tab>FLAGS<tab>REGEX
FLAGS are the compiler's; REGEX matches the identities of a right finding, "-"
where there is none (a unit after its fix, or one to judge by hand).

Each unit is compiled with the facts pass (-O2 -g, as linesman tidy does) and checked with all checks.
Then the first three findings of the checks alone, of the facts alone and of the
merged list are printed with a mark where REGEX matches, and a table counts. No
finding is judged here but by REGEX: read the others.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--build-dir", default=os.path.join(os.path.dirname(__file__), "../../build"))
parser.add_argument("--llvm", default="22", help="release whose clang and clang-tidy run")
parser.add_argument("--top", type=int, default=3)
parser.add_argument("rows")
arguments = parser.parse_args()
build = os.path.abspath(arguments.build_dir)


def run(command, folder, **more):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", **more)


def findings(*options):
    result = run([f"{build}/bin/linesman", "findings", *options], ".")
    if not result.stdout:
        print("   ", result.stderr.strip().split("\n")[0])
        return None
    report = json.loads(result.stdout)
    return report["findings"], len(report["dropped"])


totals = {"checks": [0, 0, 0], "facts": [0, 0, 0], "merged": [0, 0, 0]}
units = wanted = 0
table = []
for line in open(arguments.rows):
    if not line.strip() or line.startswith("#"):
        continue
    name, folder, source, flags, regex = line.rstrip("\n").split("\t")
    words = shlex.split(flags)
    with tempfile.TemporaryDirectory() as scratch:
        compiler = f"clang{'++' if not source.endswith('.c') else ''}-{arguments.llvm}"
        compiled = run(
            [compiler, *words, "-O2", "-g", "-fstandalone-debug", "-w", "-fdata-sections", f"-fpass-plugin={build}/lib/linesman-facts.so", "-c", source, "-o", f"{scratch}/u.o"],
            folder,
        )
        if compiled.returncode:
            print(f"{name}: does not compile: {compiled.stderr.strip().splitlines()[0]}")
            continue
        printed = run(
            [f"clang-tidy-{arguments.llvm}", f"--load={build}/lib/linesman-tidy.so", "--checks=-*,linesman-*", "--header-filter=.*", source, "--", *words, "-w"],
            folder,
        )
        with open(f"{scratch}/tidy.txt", "w") as file:
            file.write(printed.stdout or "clang-tidy: nothing\n")
        checks = findings("--from-tidy", f"{scratch}/tidy.txt") or ([], 0)
        # An object that has nothing to say has no facts.
        facts = findings("--objects", f"{scratch}/u.o")
        merged = facts and findings("--from-tidy", f"{scratch}/tidy.txt", "--objects", f"{scratch}/u.o")
        lists = {"checks": checks, "facts": facts or ([], 0), "merged": merged or checks}
    units += 1
    wanted += regex != "-"
    row = [name]
    print(f"== {name}: {source}")
    for kind, (found, dropped) in lists.items():
        top = found[: arguments.top]

        def identities(finding):
            return [finding["id"]] + [e["id"] for e in finding["evidence"]] + [finding.get("field", "")]

        right = [any(re.search(regex, i) for i in identities(f)) for f in top] if regex != "-" else [False] * len(top)
        totals[kind][0] += any(right)
        totals[kind][1] += len(top) - sum(right)
        totals[kind][2] += len(top)
        row.append("yes" if any(right) else "no" if regex != "-" else f"{len(top)} to judge")
        print(f"  {kind}: {len(found)} findings" + (f", {dropped} dropped" if dropped else ""))
        for finding, good in zip(top, right):
            by = sorted({e.get("check", "facts").removeprefix("linesman-") for e in finding["evidence"]})
            print(f"    {'*' if good else ' '} {finding['id']} [{', '.join(by)}] {finding['kind']}")
    table.append(row)

print("\n| unit | checks | facts | merged |\n|---|---|---|---|")
for row in table:
    print("| " + " | ".join(row) + " |")
print(f"\n{units} units, {wanted} with a known bug; first {arguments.top} of each list")
for kind, (hits, others, shown) in totals.items():
    print(f"{kind}: names {hits} of {wanted}; {others} of {shown} findings are others")
