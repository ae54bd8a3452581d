"""Fails on an #include that the library table of docs/design.md does not allow."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
design = (root / "docs/design.md").read_text()


def read_table():
    """{library: set of libraries that it may use}, from the design's section 3."""
    allowed = {}
    for row in re.findall(r"^\| (.+?) \| .+? \| (.+?) \|$", design.split("## 3.")[1].split("## 4.")[0], re.M):
        # `tools/options` is a library of the command line.
        names = re.findall(r"`((?:tools/)?\w+)`", row[0])
        if names:
            # `Runtime/Protocol.h` allows one header of that library.
            allowed[names[0]] = set(re.findall(r"`([\w/.]+)`", row[1]))
    return allowed


allowed = read_table()
problems = []
checked = 0
for path in sorted([*root.glob("include/linesman/*/**/*.h"), *root.glob("lib/**/*.h"), *root.glob("lib/**/*.cpp"), *root.glob("lib/**/*.c"), *root.glob("tools/*/*.h"), *root.glob("tools/*/*.cpp")]):
    parts = path.relative_to(root).parts
    if len(parts) < 3 or parts[:2] == ("tools", "linesman"):  # no library's
        continue
    library = parts[2] if parts[0] == "include" else "/".join(parts[:2]) if parts[0] == "tools" else parts[1]
    if library not in allowed:
        problems.append(f"{path.relative_to(root)}: library {library} is not in the table of docs/design.md")
        continue
    text = path.read_text()
    for used in re.findall(r'^#include "(options|terminal)/', text, re.M):
        if f"tools/{used}" != library:
            problems.append(f"{path.relative_to(root)}: {library} may not use tools/{used}")
    for used, header in re.findall(r'^#include "linesman/(\w+)/([\w.]+)"', text, re.M):
        checked += 1
        if used != library and used not in allowed[library] and f"{used}/{header}" not in allowed[library]:
            problems.append(f"{path.relative_to(root)}: {library} may not use {used}")

if len(allowed) < 8 or checked < 20:
    problems.append(f"read only {len(allowed)} libraries and {checked} includes: the table or the folders have moved")
print("\n".join(problems) or f"{checked} includes of {len(allowed)} libraries hold")
sys.exit(bool(problems))
