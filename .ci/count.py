"""Adds up lit's results: prints "PASSED FAILED". A test that was skipped and is
not in the list of known skips counts as failed, and so does a missing result.
The end of what a failed test printed is repeated, last in the log.
Usage: count.py SKIPS RESULT.json..."""

import json
import pathlib
import sys

known = {line.split("#")[0].strip() for line in pathlib.Path(sys.argv[1]).read_text().splitlines()} - {""}
passed = failed = 0
for path in map(pathlib.Path, sys.argv[2:]):
    if not path.exists():
        print(f"{path.name}: no results", file=sys.stderr)
        failed += 1
        continue
    for test in json.loads(path.read_text())["tests"]:
        name, code = test["name"], test["code"]
        if code == "FLAKYPASS":
            print(f"passed when it was tried again: {name}", file=sys.stderr)
        if code in ("PASS", "FLAKYPASS", "XFAIL"):
            passed += 1
        elif code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED") and name in known:
            continue
        else:
            if code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
                print(f"skipped, and not in the list of known skips: {name}", file=sys.stderr)
            else:
                end = "\n".join(test.get("output", "").splitlines()[-60:])
                print(f"failed: {name}\n{end}", file=sys.stderr)
            failed += 1
print(passed, failed)
