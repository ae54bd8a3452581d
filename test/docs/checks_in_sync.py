#!/usr/bin/env python3
# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The set of checks is the same in code, docs and tests, and so is the sentence
that says what each one finds: checks_in_sync.py SOURCE_DIR CLANG_TIDY PLUGIN
"""

import pathlib
import re
import subprocess
import sys

root, clang_tidy, plugin = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
problems = []


def read(path):
    return (root / path).read_text(encoding="utf-8") if (root / path).exists() else ""


def tidy(*options):
    return subprocess.run(
        [clang_tidy, "--load", plugin, "--checks=-*,linesman-*", *options], capture_output=True, text=True, check=True
    ).stdout


def expect_same(what, found, expected):
    for name in sorted(set(expected) - set(found)):
        problems.append(f"{what}: {name} is missing")
    for name in sorted(set(found) - set(expected)):
        problems.append(f"{what}: {name} is no check")


def summary_in_code(name):
    """The first sentence above the class."""
    stem = "".join(word.capitalize() for word in name.split("-")) + "Check"
    comment = re.search(rf"((?:^///.*\n)+)class {stem} ", read(f"lib/Tidy/{stem}.h"), re.MULTILINE)
    if not comment:
        return None
    first = comment.group(1).split("///\n")[0]
    return " ".join(re.sub(r"^///\s*", "", first, flags=re.MULTILINE).split())


checks = re.findall(r"^\s+linesman-(\S+)$", tidy("--list-checks"), re.MULTILINE)
pages = [page.stem for page in (root / "docs/checks").glob("*.md") if page.stem != "README"]
tests = [name for name in checks if (root / f"test/Tidy/{name}.cpp").exists()]
expect_same("docs/checks", pages, checks)
expect_same("test/Tidy", tests, checks)
expect_same("docs/checks/README.md", re.findall(r"^\| \[linesman-(\S+)\]\(\1\.md\)", read("docs/checks/README.md"), re.MULTILINE), checks)

notes = dict(re.findall(r"^- \[linesman-(\S+)\]\(checks/\S+\.md\): (.*)$", read("docs/release-notes.md"), re.MULTILINE))
expect_same("docs/release-notes.md", notes, checks)
for name in checks:
    page = read(f"docs/checks/{name}.md").splitlines()
    code = summary_in_code(name)
    if not code:
        problems.append(f"{name}: no sentence above the class")
        continue
    if page[:1] != [f"# linesman-{name}"]:
        problems.append(f"docs/checks/{name}.md: the title is not linesman-{name}")
    for where, found in ((f"docs/checks/{name}.md", (page + [""] * 3)[2]), ("docs/release-notes.md", notes.get(name))):
        if found != code:
            problems.append(f"{where}: {found!r} is not {code!r}")

# Every option is described: the common ones on the index, a check's own on its page.
common = set(re.findall(r"`(\w+)`", read("docs/checks/README.md")))
for name, option in re.findall(r"linesman-([\w-]+)\.(\w+):", tidy("--dump-config")):
    if option not in common and f"`{option}`" not in read(f"docs/checks/{name}.md"):
        problems.append(f"docs/checks/{name}.md: the option {option} is not described")

print("\n".join(problems))
sys.exit(bool(problems))
