"""Who runs what in memcached, by a JSON report of it, whoever the facts are from:
check_roles.py REPORT.json. None of the first ten findings is written by start-up
code only or by one thread only; the array of 40-byte locks is among the findings."""

import json
import pathlib
import sys

report = json.loads(pathlib.Path(sys.argv[1]).read_text())
findings = report["findings"]
problems = []

roles = {role["role"]: role for role in report["roles"]}
for name, instances in (("worker_libevent", "many"), ("lru_maintainer_thread", "one"), ("logger_thread", "one"), ("main", "one")):
    if name not in roles or roles[name]["instances"] != instances:
        problems.append(f"role {name} is not {instances}: {roles.get(name)}")
for rank, finding in enumerate(findings[:10], 1):
    writers = {role for occupant in finding["occupants"] for role in occupant["written_by"]}
    if not writers or (len(writers) == 1 and all(roles[role]["instances"] == "one" for role in writers)):
        problems.append(f"finding {rank}, {finding['id']}, is written by {writers or 'nobody'}")
# The array of 40-byte locks that is no heap object.
if not any(occupant["symbol"] == "lru_locks" and occupant["atomics"] > 0 for finding in findings for occupant in finding["occupants"]):
    problems.append("no finding about lru_locks")


# What main reads from its options, before there are threads; with --all also
# where the line is no finding.
if not any(
    site["role"] == "start-up"
    for line in report.get("lines", findings)
    for occupant in line["occupants"]
    if occupant["symbol"] == "settings"
    for site in occupant.get("sites", [])
):
    problems.append("nothing about settings is start-up")

print("\n".join(problems) or f"{len(findings)} findings hold")
sys.exit(bool(problems))
