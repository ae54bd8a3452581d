"""Holds a report of options.c, stripped: check_stripped.py REPORT.json. main runs
at start-up and writes anonymous objects; one of them is counted in atomically,
by code that can run concurrently."""

import json
import sys

report = json.load(open(sys.argv[1]))
sites = [
    (site["function"], site["access"], site["role"], occupant["symbol"])
    for line in report["lines"]
    for occupant in line["occupants"]
    for site in occupant.get("sites", [])
    if occupant.get("object", {}).get("origin") == "anonymous"
]
written = {symbol for function, access, role, symbol in sites if (function, access, role) == ("main", "write", "start-up")}
counted = {symbol for function, access, role, symbol in sites if access == "atomic" and role == "concurrent" and function != "main"}
assert len(written) >= 2, sites
assert counted and not counted & written, sites
