"""Runs what examples/field/NAME/run.sh does without a running program, and fails
unless NAME's page quotes it. Addresses are not compared: they change with the C
library's start-up files. Usage: check_field_quoted.py SOURCE BUILD FOLDER NAME...
With --write in front of the names, the pages are given what they do not show."""

import os
import pathlib
import re
import subprocess
import sys

source, build, folder = map(pathlib.Path, sys.argv[1:4])
names = sys.argv[4:]
is_writing = names[0] == "--write"
names = names[is_writing:]
problems = []


def mask(text):
    return re.sub(r"0x[0-9a-f]+", "0x", text)


def replace_section(page, section):
    """The page with this section in place of that with the same heading."""
    heading = section.splitlines()[0]
    return re.sub(rf"^{re.escape(heading)}\n.*?(?=\n+== |\n```)", lambda _: section, page, count=1, flags=re.M | re.S)


for name in names:
    here, out = source / "examples/field" / name, folder / name
    ran = subprocess.run(
        ["bash", here / "run.sh", build, out], capture_output=True, text=True, env={**os.environ, "LAYOUT_ONLY": "1"}
    )
    if ran.returncode:
        problems.append(f"{name}: run.sh ends with {ran.returncode}\n{ran.stdout}{ran.stderr}")
    path = here / "README.md"
    page = path.read_text()
    sections = re.split(r"^(?=== )", ran.stdout.replace(str(out), "FOLDER"), flags=re.M)
    reports = [section.strip() for section in sections if "\n$ linesman layout" in section]
    if not reports:
        problems.append(f"{name}: run.sh shows no layout")
    for report in reports:
        if mask(report) in mask(page):
            continue
        page = replace_section(page, report)
        if not is_writing or mask(report) not in mask(page):
            problems.append(f"{name}/README.md does not show this:\n{report}")
    if is_writing:
        path.write_text(page)

print("\n".join(problems) or f"{len(names)} pages quote today's reports")
sys.exit(bool(problems))
