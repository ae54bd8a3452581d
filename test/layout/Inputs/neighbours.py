"""Prints "object: its line-mates" for each finding of a layout report."""

import json
import sys

for finding in json.load(open(sys.argv[1]))["findings"]:
    assert finding["rung"] == "suspected", finding["id"]
    names = [o["name"] for o in finding["occupants"] if "object" in o and o["name"] != finding["id"]]
    print(f"{finding['id']}: {', '.join(names) or 'alone'}")
