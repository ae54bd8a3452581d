"""Holds a layout of once.c against what its comments say: check_once.py JSON"""

import json
import sys

report = json.load(open(sys.argv[1]))
writes, remedy = {}, {}
for line in report["lines"]:
    for occupant in line["occupants"]:
        writes[occupant["name"]] = occupant["writes"] + occupant["atomics"]
scores = {f["id"]: f["score"] for f in report["findings"]}
for finding in report["findings"]:
    remedy[finding["id"]] = finding["remedy"]["text"]

for rare in ("lazy", "by_lazy", "by_once", "at_exit"):
    assert writes[rare] < 0.01, (rare, writes[rare])
for often in ("toggled", "by_toggle", "always_five", "counter", "target"):
    assert writes[often] >= 0.1, (often, writes[often])
assert "same constant, 0x5" in remedy["always_five"], remedy["always_five"]
assert "same constant" not in remedy["counter"], remedy["counter"]
assert scores["always_five"] > scores["counter"], scores
assert max(scores.values()) <= 1e6
