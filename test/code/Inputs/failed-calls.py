"""Atomic operations of the only site for each counter."""
import json
import sys

found = {o["symbol"]: o["atomics"] for f in json.load(open(sys.argv[1]))["findings"] for o in f["occupants"] if o.get("atomics")}
bounds = {"usual": (0.9, 1.1), "not_locked": (0.04, 0.08), "not_printed": (0.04, 0.08), "not_flushed": (0.04, 0.08),
          "not_got": (0.1, 0.8), "not_equal": (0.1, 0.8), "ended": (0.9, 1.1)}
for name, (least, most) in bounds.items():
    assert least <= found[name] <= most, (name, found)
