"""Checks the reports on types of the three builds of examples/subtype_cache:
check_subtype_cache.py CHECKS.JSON PADDED.JSON UNWRITTEN.JSON"""

import json
import sys

ID = "runtime::TypeRecord::LastFound"


def ours(path):
    """The findings of the record; the first one overall is among them."""
    findings = json.load(open(path))["findings"]
    found = [f for f in findings if f["id"].startswith("runtime::TypeRecord")]
    assert not found or found[0] is findings[0], [f["id"] for f in findings]
    return found


def on(finding, member):
    return next((o for o in finding["occupants"] if o.get("member") == member), None)


checks, padded, unwritten = (ours(path) for path in sys.argv[1:4])

first = checks[0]
assert first["id"] == ID and first["member"] == "LastFound", first["id"]
assert first["rung"] == "suspected" and first["kind"] == "mixed", first
cache, supers = on(first, "LastFound"), on(first, "Supers")
assert cache["writes"] > 0 and supers["reads"] > 0 and supers["writes"] == 0, first
assert first["type"]["synchronised"] and first["type"]["size"] == 32, first["type"]
# Two adjacent words of a record that is aligned to words: 1 in 8 is lucky.
assert first["type"]["phases"] == 8 and first["type"]["shared_phases"] == 7, first["type"]
assert first["remedy"]["kind"] == "alignas" and "`LastFound` away from" in first["remedy"]["text"], first["remedy"]

assert [f["id"] for f in padded] == [ID], padded
assert padded[0]["kind"] == "true-sharing" and padded[0]["remedy"]["kind"] in ("guard", "per-thread"), padded[0]
assert not on(padded[0], "Supers"), "they are still on one line"

assert not unwritten, [f["id"] for f in unwritten]
