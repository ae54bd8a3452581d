"""Fails unless two JSON reports say the same, but for the binary's name and what
came from where: same_report.py REPORT.json REPORT.json"""

import json
import sys


def read(path):
    report = json.load(open(path))
    for key in ("binary", "notes"):
        report.pop(key, None)
    return report


first, second = (read(path) for path in sys.argv[1:3])
assert first["findings"], "nothing to compare"
assert first == second, f"{sys.argv[1]} and {sys.argv[2]} differ"
