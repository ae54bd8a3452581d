"""The sentence of each check's rule in SARIF is that of docs/checks/README.md.
Usage: check_rules.py SOURCE"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
rules = re.sub(r'"\s*"', "", (source / "lib/Report/Rules.cpp").read_text())
said = dict(re.findall(r'\{"(linesman-[a-z-]+)",\s*"([^"]+)"\}', rules))
table = dict(re.findall(r"^\| \[(linesman-[a-z-]+)\]\(.*?\) \| (.+?) \|$", (source / "docs/checks/README.md").read_text(), re.M))
if said != table or len(table) < 5:
    print("\n".join(f"{name}: '{said.get(name)}' in Rules.cpp, '{table.get(name)}' in the docs" for name in sorted({*said, *table}) if said.get(name) != table.get(name)))
    sys.exit(1)
print(f"{len(table)} rules hold")
