# The largest weight of writes to each object in a report.
import json


def read_written(path):
    written = {}
    with open(path) as report:
        findings = json.load(report)["findings"]
    for occupant in (o for finding in findings for o in finding["occupants"]):
        weight = occupant.get("writes", 0) + occupant.get("atomics", 0)
        written[occupant["name"]] = max(weight, written.get(occupant["name"], 0))
    print(written)
    return written
