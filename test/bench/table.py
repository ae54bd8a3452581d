# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of run.sh: table.py ROWS DOCUMENT [--write]

Reads ROWS/NAME.json, a row a line (measure.py), and prints a table of all, or puts
it into DOCUMENT between its two marks."""

import json
import pathlib
import sys
import time

BEGIN, END = "<!-- table of test/bench/run.sh -->\n", "<!-- end of the table -->\n"

rows, document = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
files = sorted(rows.glob("*.json"))
if not files:
    sys.exit(f"{rows}: no bench has been run")

HEAD = ["| bench | what | measured | beside | ratio [quartiles] | bound | day |\n", "|---|---|---|---|---|---|---|\n"]


def make_line(row, day):
    ratio = f"{row['median']:.3f}"
    if row["low"] != row["high"]:
        ratio += f" [{row['low']:.3f}, {row['high']:.3f}]"
    bound = "" if row["bound"] is None else f"{row['bound']:g}"
    if row["bound"] is not None and row["median"] > row["bound"]:
        ratio = f"**{ratio}**"
    return f"| {row['bench']} | {row['case']} | {row['measured']} | {row['peer']} | {ratio} | {bound} | {day} |\n"


def make_table(lines):
    return "".join(HEAD + [line for bench in sorted(lines) for line in lines[bench]])


lines = {}  # of each bench
for path in files:
    day = time.strftime("%Y-%m-%d", time.gmtime(path.stat().st_mtime))
    for line in path.read_text().splitlines():
        row = json.loads(line)
        lines.setdefault(row["bench"], []).append(make_line(row, day))

if "--write" not in sys.argv[3:]:
    print(make_table(lines), end="")
    sys.exit()
text = document.read_text()
if text.count(BEGIN) != 1 or text.count(END) != 1:
    sys.exit(f"{document}: expected one '{BEGIN.strip()}' and one '{END.strip()}'")
before, rest = text.split(BEGIN)
old, after = rest.split(END)
# What was not run now stays, with its day.
kept = {}
for line in old.splitlines(keepends=True):
    if line.startswith("| ") and line not in HEAD:
        kept.setdefault(line.split("|")[1].strip(), []).append(line)
lines = {**kept, **lines}
document.write_text(before + BEGIN + "\n" + make_table(lines) + "\n" + END + after)
