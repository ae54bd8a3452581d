# Weights of a report on retries.c, by machine code or by a compiler.
import json, sys

written = {}
for finding in json.load(open(sys.argv[2]))["findings"]:
    for occupant in finding["occupants"]:
        weight = occupant.get("writes", 0) + occupant.get("atomics", 0)
        written[occupant["name"]] = max(weight, written.get(occupant["name"], 0))
print(written)
once = written["plain"]
assert once / 1.5 < written["merged"] < once * 1.5
assert written["searched"] >= once * 4
assert written["behind"] >= once * 1.5
if sys.argv[1] == "code":
    assert written.get("waited", 0) < once / 100
    assert written["missed"] >= once / 16
