# Weights of a report on spins.c.
import json, sys

written = {}
for finding in json.load(open(sys.argv[1]))["findings"]:
    for occupant in finding["occupants"]:
        weight = occupant.get("writes", 0) + occupant.get("atomics", 0)
        written[occupant["name"]] = max(weight, written.get(occupant["name"], 0))
print(written)
once = written["plain"]
for name in ("waited", "gave_way"):
    assert once / 8 < written[name] <= once, name
for name in ("behind", "read_again"):
    assert once / 1.5 < written[name] < once * 1.5, name
for name in ("lock", "other"):
    assert once <= written[name] <= once * 4, name
assert written["worked"] >= once * 4
