"""Holds tests against ways to pass without having looked. Usage: check_tests.py SOURCE

    %if FEATURE %{ ... %}      vanishes without a skip: REQUIRES in a test of its own
    test ! -x TOOL || ...      the same
    COMMAND || true            a failure that counts as none
    not grep PATTERN FILE      passes where FILE is missing: %lacks
    linesman ...; COMMAND      the same: only the last one's status counts
    PREFIX: ...                that no RUN line names: it is never compared

And the times that a fresh build starts with against the tests that there are.
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]) / "test"
problems, files, prefixes = [], 0, 0
# What is written before a colon at the start of a line and is no check.
NO_CHECK = {"RUN", "REQUIRES", "UNSUPPORTED", "XFAIL", "END", "ALLOW_RETRIES", "DEFINE", "REDEFINE", "TODO"}
SUFFIX = r"(?:-(?:NEXT|NOT|DAG|LABEL|SAME|EMPTY|COUNT-\d+))?"

for path in sorted(root.rglob("*")):
    if path.suffix not in (".test", ".c", ".cpp", ".m", ".ll", ".s") or {"Inputs", "bench", "unit", "fuzz"} & set(path.parts):
        continue
    text = path.read_text(errors="replace")
    runs = "\n".join(re.findall(r"RUN:(.*)", text))
    if not runs:
        continue
    files += 1
    name = path.relative_to(root)
    for pattern, what in ((r"%if\b", "%if"), (r"\btest ! -x\b.*\|\|", "test ! -x ... ||"), (r"\|\| (?:true|:)\s*(?:\\|$)", "|| true"), (r"\bnot [ef]?grep\b", "not grep")):
        if re.search(pattern, runs, re.M):
            problems.append(f"{name}: '{what}' passes without having looked")
    for run in re.findall(r"RUN:(.*)", re.sub(r"\\\n\W*RUN:", " ", text)):
        # What is in quotes is another language, and loops end by themselves.
        bare = re.sub(r"'[^']*'|\"[^\"]*\"", "''", run)
        if not re.search(r"\b(?:for|while|until)\b", bare) and re.search(
            r"(?:^|&&|\|\||;)\s*(?:not )?(?:linesman|FileCheck|%python|%clang\w*|cmp|diff|grep) [^;|]*;(?!\s*(?:test|\[) \$\?)(?!\s*\w+=\$\?)", bare
        ):
            problems.append(f"{name}: nobody looks at the status before ';':{run}")
    # clang-tidy's checker and scripts have prefixes of their own.
    if "%check_tidy" in runs:
        continue
    body = text.split("\n#--- ")[0].split("\n//--- ")[0]
    for prefix in sorted(set(re.findall(rf"^\W*([A-Z][A-Z0-9_-]*?){SUFFIX}:(?:\s|$)", body, re.M)) - NO_CHECK):
        prefixes += 1
        if prefix == "CHECK" and any("prefix" not in call for call in re.findall(r"FileCheck((?:(?!&&|\|\||;).)*)", runs)):
            continue
        if not re.search(rf"[=, ]{re.escape(prefix)}(?![\w-])", runs):
            problems.append(f"{name}: no RUN line names {prefix}")

for line in (root / ".lit_test_times.txt").read_text().splitlines():
    if not (root / line.split()[1]).is_file():
        problems.append(f".lit_test_times.txt: no test {line.split()[1]}")

if files < 100 or prefixes < 100:
    problems.append(f"read only {files} tests with {prefixes} prefixes: the folders or the names have changed")
print("\n".join(problems) or f"{files} tests with {prefixes} prefixes can fail")
sys.exit(bool(problems))
