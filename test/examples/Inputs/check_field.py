"""Holds examples/field together: each hazard has its files and a row in
docs/field.md, was seen and measured, and the page, the table and the patch say
the same about what it costs. Usage: check_field.py SOURCE"""

import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
field = source / "examples/field"
rows = {}
for name, row in re.findall(r"^\| `(\w+)` (\|.*)$", (source / "docs/field.md").read_text(), re.M):
    # A later table has other things to say of them.
    rows.setdefault(name, row)
folders = {path.name: path for path in field.iterdir() if path.is_dir()}
problems = []
if rows.keys() != folders.keys():
    problems.append(f"docs/field.md and examples/field differ in {sorted(rows.keys() ^ folders.keys())}")


def check_hunks(patch):
    """Yields the hunks whose lines are not as many as their heads say, or with less
    context on one side: patch looks for such a hunk at an end of the file only."""
    for head, old, new, body in re.findall(r"^(@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@.*)\n((?:[-+ \\\t].*\n|\n)*)", patch, re.M):
        # The next file's head looks like a line of this one.
        lines = re.split(r"^--- a/", body, flags=re.M)[0].splitlines()
        counted = [sum(line[:1] not in other for line in lines if line[:1] != "\\") for other in ("+", "-")]
        context = [len(re.match(r" *", "".join(line[:1] or " " for line in order))[0]) for order in (lines, lines[::-1])]
        if counted != [int(old or 1), int(new or 1)] or context[0] != context[1]:
            yield head


for name, folder in sorted(folders.items()):
    patches = list(folder.glob("*.patch"))
    if missing := [file for file in ("README.md", "run.sh", "driver.cpp") if not (folder / file).exists()]:
        problems.append(f"{name}: no {', '.join(missing)}")
        continue
    if len(patches) != 1:
        problems.append(f"{name}: {len(patches)} patches, expected one")
        continue
    if broken := subprocess.run(["bash", "-n", folder / "run.sh"], capture_output=True, text=True).stderr:
        problems.append(broken)
    page, patch = (folder / "README.md").read_text(), patches[0].read_text()
    if not re.search(r"^\$ linesman watch .*?\(confirmed\)", page, re.M | re.S):
        problems.append(f"{name}: its page does not show that threads meet")
    measured = re.findall(
        r"--match=(\S+) \+.*?\nB / A +(\S+) +(\S+) to (\S+) .*?\n\nfaster: B .*? \((\d+) rounds", page, re.S
    )
    if not measured or page.count("$ linesman ab") != len(measured):
        problems.append(f"{name}: {len(measured)} operations of its page are faster, and {page.count('$ linesman ab')} were measured")
    if not any(float(high) <= 0.9 for *_, high, _ in measured):
        problems.append(f"{name}: no operation gains 10 %")
    for operation, *numbers, _ in measured:
        median, low, high = (f"{float(number):.2f}" for number in numbers)
        said = rf"{operation}\b[^|,]* {median} \[{low}, {high}\]"
        for where, text in (("docs/field.md", rows.get(name, "")), (patches[0].name, patch)):
            if not re.search(said, text):
                problems.append(f"{name}: {where} does not say '{operation} {median} [{low}, {high}]'")
    if not re.match(r"Subject: \[PATCH\] .+\n\n", patch) or "\n@@ " not in patch:
        problems.append(f"{patches[0].name} of {name}: no subject, or no change")
    problems += [f"{patches[0].name} of {name}: wrong count of lines, or of context, in {head}" for head in check_hunks(patch)]

print("\n".join(problems) or f"{len(folders)} hazards hold")
sys.exit(bool(problems))
