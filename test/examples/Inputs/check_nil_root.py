"""Checks the reports of the three builds of examples/nil_root:
check_nil_root.py RADIX_TREE.H STORE.JSON ISOLATED.JSON GUARDED.JSON"""

import json
import re
import sys

NIL_ROOT = "store::Node<unsigned long>::nil_root"
LOG_LEVEL = "store::log_level"


def storeInAssignment():
    """The line of the store to the sentinel, by what it says."""
    inside = False
    for number, text in enumerate(open(sys.argv[1]), 1):
        inside = inside or re.search(r"operator=\(NodeRef &&", text)
        if inside and re.search(r"Other\.To->Back = ", text):
            return number
    raise AssertionError("the assignment operator has no such store")


def findings(path):
    return json.load(open(path))["findings"]


def on(finding, name):
    """The occupant of that name on the finding's line, or None."""
    return next((o for o in finding["occupants"] if o["name"] == name), None)


store, isolated, guarded = (findings(path) for path in sys.argv[2:5])

first = store[0]
assert first["id"] == NIL_ROOT, first["id"]
sentinel, level = on(first, NIL_ROOT), on(first, LOG_LEVEL)
source = f"radix_tree.h:{storeInAssignment()}"
writes = [site["source"] for site in sentinel["sites"] if site["access"] == "write"]
assert any(place.endswith("/" + source) or place == source for place in writes), f"no write at {source}: {writes}"
assert level and level["reads"] > 0 and level["writes"] == 0, level

remaining = [f for f in isolated if f["id"] == NIL_ROOT]
assert len(remaining) == 1, [f["id"] for f in isolated]
assert remaining[0]["kind"] == "true-sharing" and remaining[0]["remedy"]["kind"] == "guard", remaining[0]
assert not on(remaining[0], LOG_LEVEL), "they are still on one line"

assert not guarded, [f["id"] for f in guarded]
