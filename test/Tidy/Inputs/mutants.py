"""Runs all checks on damaged sources: a missing header, a declaration that is
gone, a token too few.

    mutants.py COUNT CLANG_TIDY PLUGIN FOLDER SEED UNIT... [-- COMPILER OPTIONS]
    mutants.py COUNT CLANG_TIDY PLUGIN FOLDER SEED -p DATABASE [REGEX OF UNITS]

A mutant is seen in the place of its file, which stays as it is. clang-tidy must end
with 0 or 1, in time, without a stack, and must say of the compiler's errors what it
says with a check of its own. Prints how many mutants had errors, and how many of
these a finding."""

import collections
import json
import os
import random
import re
import subprocess
import sys

count, tidy, plugin, folder, seed, *rest = sys.argv[1:]
count = int(count)
random.seed(int(seed))
os.makedirs(folder, exist_ok=True)
options = rest[rest.index("--") :] if "--" in rest else []
rest = rest[: len(rest) - len(options)]
if rest[0] == "-p":
    options = ["-p", rest[1]]
    entries = json.load(open(os.path.join(rest[1], "compile_commands.json")))
    units = [os.path.join(e["directory"], e["file"]) for e in entries]
    units = [u for u in units if re.search(rest[2] if len(rest) > 2 else "", u)]
else:
    units = [os.path.abspath(unit) for unit in rest]

TOKEN = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/|\w+|[^\w\s]", re.S)
SECONDS = 120


def replaced(text, span, by):
    return text[: span[0]] + by + text[span[1] :]


def damage_include(text):
    lines = [m.span() for m in re.finditer(r"^[ \t]*#[ \t]*include.*$", text, re.M)]
    return replaced(text, random.choice(lines), random.choice(["", '#include "no/such/header.h"'])) if lines else damage_token(text)


def damage_token(text):
    tokens = [m for m in TOKEN.finditer(text) if not m[0].startswith(("//", "/*"))]
    if not tokens:
        return text
    token = random.choice(tokens)
    return replaced(text, token.span(), random.choice(["", "", "", token[0] + " " + token[0], "unknown_name", "{", "}", "(", ";"]))


def damage_lines(text):
    lines = text.split("\n")
    at = random.randrange(len(lines))
    del lines[at : at + random.choice([1, 1, 2, 5, 40])]
    return "\n".join(lines)


def damage_declaration(text):
    """From a line that begins at the margin to where its braces end."""
    begins = [m.start() for m in re.finditer(r"^[A-Za-z].*$", text, re.M)]
    if not begins:
        return text
    at = begin = random.choice(begins)
    depth = 0
    while at < len(text):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth <= 0 and text[at] in ";}":
            break
        at += 1
    return replaced(text, (begin, at + 1), "")


def damage_end(text):
    return text[: random.randrange(len(text) + 1)]


def damaged(text):
    ways = [damage_include, damage_include, damage_token, damage_token, damage_lines, damage_declaration, damage_end]
    for _ in range(random.choice([1, 1, 2, 5])):
        text = random.choice(ways)(text)
    return text


def file_of(unit):
    """The unit, or now and then a header that it has beside it."""
    text = open(unit, errors="replace").read()
    headers = [os.path.join(os.path.dirname(unit), name) for name in re.findall(r'^#\s*include\s*"(.*?)"', text, re.M)]
    headers = [header for header in headers if os.path.exists(header)]
    return random.choice(headers) if headers and random.random() < 0.3 else unit


def errors_of(text):
    return [line for line in text.split("\n") if " error: " in line]


def run(checks, unit, overlay):
    words = [tidy, f"--load={plugin}", f"--checks=-*,{checks}", "--header-filter=.*", f"--vfsoverlay={overlay}", unit, *options]
    return subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=SECONDS)


ends = collections.Counter()
for number in range(count):
    unit = random.choice(units)
    path = file_of(unit)
    mutant, overlay = (os.path.join(folder, name) for name in ("mutant", "overlay.json"))
    with open(mutant, "w") as file:
        file.write(damaged(open(path, errors="replace").read()))
    with open(overlay, "w") as file:
        json.dump({"version": 0, "roots": [{"type": "file", "name": os.path.realpath(path), "external-contents": os.path.abspath(mutant)}]}, file)
    where = f"mutant {number} of {path}, in {unit} (kept in {folder})"
    try:
        ours = run("linesman-*", unit, overlay)
    except subprocess.TimeoutExpired:
        sys.exit(f"{where}: not done after {SECONDS} s")
    said = ours.stdout + ours.stderr
    if ours.returncode not in (0, 1) or "PLEASE submit" in said or "Assertion" in said:
        # A crash of clang's own is clang's.
        try:
            plain = run("readability-misleading-indentation", unit, overlay)
        except subprocess.TimeoutExpired:
            plain = None
        if plain and plain.returncode in (0, 1):
            sys.exit(f"{where}: exit {ours.returncode}: {said[-3000:]}")
        ends["crashed clang"] += 1
        continue
    errors = errors_of(ours.stdout)
    ends["with errors" if errors else "without errors"] += 1
    ends["with errors and a finding"] += bool(errors) and "[linesman-" in said
    # The first, and a twentieth of them, as it takes as long again.
    if errors and ends["with errors"] % 20 == 1:
        plain = errors_of(run("readability-misleading-indentation", unit, overlay).stdout)
        assert plain == errors, f"{where}: other errors: {plain} and with the checks {errors}"
        ends["with the compiler's own errors"] += 1
for end, times in sorted(ends.items()):
    print(f"{end}: {times}")
