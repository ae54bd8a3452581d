"""Runs all checks on their own tests and demands of each that `linesman
findings` finds the object in every message.
Usage: check_objects.py SOURCE CLANG-TIDY PLUGIN SCRATCH"""

import collections
import json
import pathlib
import re
import subprocess
import sys

source, clang_tidy, plugin, scratch = sys.argv[1:5]
tests = sorted(path for path in pathlib.Path(source, "test/Tidy").glob("*.c*") if path.suffix in (".c", ".cpp"))
# Headers of other code are another test's business.
tests = [path for path in tests if "--system-headers" not in path.read_text()]
printed = ""
for path in tests:
    # As check_linesman_tidy.py compiles them.
    flags = ["-std=c11" if path.suffix == ".c" else "-std=c++20", "-nostdinc++", f"-I{source}/test/Tidy/Inputs"]
    printed += subprocess.run(
        [clang_tidy, f"--load={plugin}", "--checks=-*,linesman-*", str(path), "--", *flags],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ).stdout
text = pathlib.Path(scratch, "all.txt")
text.write_text(printed)
# Not all of them compile with these flags, which the exit code says.
report = json.loads(subprocess.run(["linesman", "findings", f"--from-tidy={text}"], stdout=subprocess.PIPE).stdout)

seen = collections.Counter()
problems = []
for finding in report["findings"]:
    for each in finding["evidence"]:
        seen[each["check"]] += 1
    place = finding["occupants"][0]["sites"][0]["source"]
    if finding["id"] == place or not re.match(r"[\w~:.<>()\[\] -]+$", finding["id"]):
        problems.append(f"{place}: no object in: {finding['message']}")
checks = {f"linesman-{page.stem}" for page in pathlib.Path(source, "docs/checks").glob("*.md")} - {"linesman-README"}
for check in sorted(checks - set(seen)):
    problems.append(f"{check} reported nothing on its own tests")
print("\n".join(problems) or f"{sum(seen.values())} findings of {len(seen)} checks name their object")
sys.exit(bool(problems) or not checks)
