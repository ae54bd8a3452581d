"""Holds docs/cli.md against the tool: commands, their options, and the keys of
the JSON. Usage: check_cli.py SOURCE LINESMAN REPORT.json..."""

import json
import pathlib
import re
import subprocess
import sys

source, linesman = pathlib.Path(sys.argv[1]), sys.argv[2]
cli = (source / "docs/cli.md").read_text()
design = (source / "docs/design.md").read_text()
problems = []


def output(*args):
    return subprocess.run([linesman, *args], check=True, stdout=subprocess.PIPE, text=True).stdout


commands = re.findall(r"^  ([\w-]+)", output("--help").split("commands:")[1].split("\n\n")[0], re.M)
sections = {}
for heading, body in re.findall(r"^## linesman ([\w-]+)(.*?)(?=^## |\Z)", cli, re.M | re.S):
    sections[heading] = body
if set(commands) != set(sections):
    problems.append(f"commands {sorted(commands)}, but docs/cli.md has {sorted(sections)}")

GENERIC = {"help", "help-hidden", "help-list", "help-list-hidden", "version", "print-options", "print-all-options", "color", "h"}
for command in commands:
    if command not in sections:
        continue
    options = set(re.findall(r"^  --?([\w-]+)", output(command, "--help"), re.M)) - GENERIC
    # Values of an option are listed behind "=": they are not options.
    for option in sorted(options):
        if not re.search(rf"`?--?{re.escape(option)}\b", sections[command]):
            problems.append(f"docs/cli.md: linesman {command} has an option {option} that is not described")
    for option in re.findall(r"^\| `--([\w-]+)", sections[command], re.M):
        if option not in options:
            problems.append(f"docs/cli.md describes --{option} of linesman {command}, which has none")

known = set(re.findall(r'"(\w+)":', design)) | set(re.findall(r"`(\w+)`", cli))
used = set()


def collect(value):
    if isinstance(value, dict):
        used.update(value)
        for inner in value.values():
            collect(inner)
    elif isinstance(value, list):
        for inner in value:
            collect(inner)


for report in sys.argv[3:]:
    collect(json.loads(pathlib.Path(report).read_text()))
if len(used) < 10:
    problems.append(f"only {len(used)} JSON keys were seen")
for key in sorted(used - known):
    problems.append(f'JSON key "{key}" is neither in docs/design.md nor in docs/cli.md')

# Every word that the reports print has its line in the glossary.
glossary = (source / "docs/glossary.md").read_text()
words = re.findall(r'return "([\w-]+)";', (source / "lib/Report/Words.cpp").read_text())
for word in words:
    if not re.search(rf"\b{word.replace('-', '[- ]')}", glossary):
        problems.append(f"docs/glossary.md does not explain '{word}'")

print("\n".join(problems) or f"{len(commands)} commands, {len(used)} JSON keys, {len(words)} words hold")
sys.exit(bool(problems))
