"""Holds the JSON report of a memcached with facts against its symbol table and
its source. Usage: check_memcached.py REPORT.json BINARY SOURCE"""

import json
import pathlib
import re
import subprocess
import sys

report = json.loads(pathlib.Path(sys.argv[1]).read_text())
source = pathlib.Path(sys.argv[3])
problems = []

# Another reader of the same symbol table: {name: {addresses}}.
symbols = {}
nm = subprocess.run(["llvm-nm", "--defined-only", sys.argv[2]], check=True, stdout=subprocess.PIPE, text=True)
for line in nm.stdout.splitlines():
    address, _, name = line.split()
    symbols.setdefault(name, set()).add(int(address, 16))

findings = report["findings"]
scores = [finding["score"] for finding in findings]
if len(findings) < 20 or scores != sorted(scores, reverse=True) or not all(score > 0 for score in scores):
    problems.append(f"{len(findings)} findings, or not by score: {scores[:10]}")
# What is inlined everywhere is nobody's.
notes = [note for note in report["notes"] if not note.startswith("facts about ")]
if notes:
    problems.append(f"notes: {notes}")

# {object: {(access, function, "file:line", role)}}
sites = {}
for finding in findings:
    line = int(finding["line"]["address"], 16)
    for occupant in finding["occupants"]:
        begin, size = int(occupant["address"], 16), occupant["size"]
        if not line <= begin < begin + size <= line + report["line_size"]:
            problems.append(f"{occupant['symbol']} is not on its line {line:#x}")
        if "object" in occupant and int(occupant["object"]["address"], 16) not in symbols.get(occupant["symbol"], ()):
            problems.append(f"{occupant['symbol']} is not at {occupant['object']['address']}")
        for site in occupant.get("sites", []):
            if site["function"] not in symbols:
                problems.append(f"no function {site['function']!r}, but it touches {occupant['symbol']}")
            place = pathlib.PurePath(site.get("source", "")).name
            sites.setdefault(occupant["symbol"], set()).add((site["access"], site["function"], place, site["role"]))


def places(file, code):
    """The lines that hold this code."""
    found = {f"{file}:{n}" for n, line in enumerate((source / file).read_text().splitlines(), 1) if code in line}
    assert found, f"{file} has no {code!r}"
    return found


EXPECTED = [
    ("current_time", "write", "clock_handler", "concurrent", places("memcached.c", "current_time = (rel_time_t)")),
    ("stats_lock", "atomic", "STATS_LOCK", "concurrent", places("thread.c", "pthread_mutex_lock(&stats_lock);")),
    ("cas_id", "write", "get_cas_id", "concurrent", places("items.c", "next_id = ++cas_id;")),
    ("cas_id", "read", "get_cas_id", "concurrent", places("items.c", "next_id = ++cas_id;")),
    ("expand_bucket", "write", "assoc_maintenance_thread", "concurrent", places("assoc.c", "expand_bucket++;")),
    ("stats_state", "write", "do_item_link", "concurrent", places("items.c", "stats_state.curr_items += 1;")),
    ("settings", "write", "main", "start-up", places("memcached.c", "settings.num_threads = atoi(optarg);")),
]
for name, access, function, role, where in EXPECTED:
    if not any((access, function, place, role) in sites.get(name, ()) for place in where):
        problems.append(f"{name}: no {role} {access} by {function} at {' or '.join(sorted(where))}")

print("\n".join(problems) or f"{len(findings)} findings hold")
sys.exit(bool(problems))
