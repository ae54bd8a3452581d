# Weights of a report on interrupted.c: what a signal makes again counts once.
import json, sys
found = {}
for finding in json.load(open(sys.argv[1]))["findings"]:
    for occupant in finding["occupants"]:
        if occupant.get("atomics"):
            found[occupant["name"]] = occupant["atomics"]
print(found)
once = found["plain"]
for name in ("locked", "read_again"):
    assert once / 2 < found[name] < once * 2, name
assert found["polled"] > once * 8
