"""Holds a layout of once.c against what its comments say: check_once.py JSON [compiler|fixed]

The compiler's facts do not tell what is behind a flag, or only on the way to the
end of the process, nor that a store is of one constant. Machine code at
a fixed address does not tell which record a handler of signals is put into."""

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

rarely = ["lazy", "by_lazy", "by_once", "at_exit", "by_signal", "by_action"]
if "compiler" in sys.argv:
    rarely = [name for name in rarely if "lazy" not in name and name != "at_exit"]
if "fixed" in sys.argv:
    rarely.remove("by_action")
for rare in rarely:
    assert writes[rare] < 0.01, (rare, writes[rare])
for often in ("toggled", "by_toggle", "always_five", "counter", "target", "by_record"):
    assert writes[often] >= 0.1, (often, writes[often])
if "compiler" not in sys.argv:
    assert "same constant, 0x5" in remedy["always_five"], remedy["always_five"]
    assert scores["always_five"] > scores["counter"], scores
assert "same constant" not in remedy["counter"], remedy["counter"]
assert max(scores.values()) <= 1e6
