"""Holds docs/cli.md and the design's table of commands against the tool: commands,
their options with their values, and the keys of the JSON. Usage: check_cli.py SOURCE LINESMAN REPORT.json..."""

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

# The design's table of commands has all of them, and says which are to come.
table = design.split("## 7.")[1].split("## 8.")[0]
planned = set()
for row in re.findall(r"^\| (`.*?) \| .* \|$", table, re.M):
    for name, mark in re.findall(r"`([a-z]+)[^`]*`( \(planned\))?", row):
        planned.add(name)
        if mark and name in commands:
            problems.append(f"docs/design.md calls {name} planned, and it is there")
        if not mark and name not in commands:
            problems.append(f"docs/design.md has the command {name}, which is not there: it is not marked as planned")
for command in sorted(set(commands) - planned):
    problems.append(f"docs/design.md, section 7, does not have the command {command}")

GENERIC = {"help", "help-hidden", "help-list", "help-list-hidden", "version", "print-options", "print-all-options", "h"}
checked, gates = 0, set()
rungs = re.search(r"^\| rung \|.*$", (source / "docs/glossary.md").read_text(), re.M)[0]
for command in commands:
    if command not in sections:
        continue
    usage = output(command, "--help")
    options = set(re.findall(r"^  --?([\w-]+)", usage, re.M)) - GENERIC
    checked += len(options)
    # A gate on findings can accept some.
    if re.search(r"^  --fail-on.*\n(?:    =.*\n)*?    =located", usage, re.M):
        gates.add(command)
        if not {"baseline", "write-baseline"} <= options:
            problems.append(f"linesman {command} has --fail-on=located and no --baseline")
    # Values of an option are listed behind "=": they are not options.
    for option in sorted(options):
        if not re.search(rf"`[^`\n]*--?{re.escape(option)}(?![\w-])[^`\n]*`", sections[command]):
            problems.append(f"docs/cli.md: linesman {command} has an option {option} that is not described")
    # "  --format=<value> - ..." and "    =text - ..." below it.
    for option, values in re.findall(r"^  --?([\w-]+)[^\n]*\n((?:    =[^\n]*\n)+)", usage, re.M):
        values = re.findall(r"^    =([\w-]+)", values, re.M)
        if option in GENERIC or not values:
            continue
        # Options that several commands have are explained once; rungs are words.
        rows = "\n".join(re.findall(rf"^.*--{re.escape(option)}(?![\w-]).*$", cli, re.M)) + rungs
        for value in values:
            if not re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", rows):
                problems.append(f"docs/cli.md: --{option} of linesman {command} takes {value}, which no row of it says")
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
# Every key of a finding, also of watch and bisect, which do not run here.
described = re.findall(r'\b(?:Json|Type)\.\w+\("(\w+)"', (source / "lib/Report/FindingJson.cpp").read_text())
if len(described) < 60:
    problems.append(f"lib/Report/FindingJson.cpp describes only {len(described)} keys: its form has changed")
used.update(described)
if checked < 50:
    problems.append(f"only {checked} options were seen")
if len(gates) < 8:
    problems.append(f"only {sorted(gates)} are gates on findings")
shared = re.search(r"^These options are the same for every command that has findings: (.*)\.$", cli, re.M)
if not shared or set(re.findall(r"`(\w+)`", shared[1])) != gates:
    problems.append(f"docs/cli.md, Reports and gates, does not name these commands: {sorted(gates)}")
if len(used) < 10:
    problems.append(f"only {len(used)} JSON keys were seen")
for key in sorted(used - known):
    problems.append(f'JSON key "{key}" is neither in docs/design.md nor in docs/cli.md')

print("\n".join(problems) or f"{len(commands)} commands, {len(used)} JSON keys, {checked} options hold")
sys.exit(bool(problems))
