"""Asks the doctor about this process."""

import json
import os
import subprocess

output = subprocess.check_output(["linesman", "doctor", "--format=json", f"--pid={os.getpid()}"])
report = json.loads(output)
assert report["command"] == "doctor" and report["schema"] == 1
assert report["processors"] >= 1 and report["packages"] >= 1
assert sum(node["threads"] for node in report["nodes"]) == len(os.listdir("/proc/self/task"))
assert sum(node["heap_bytes"] + node["other_bytes"] for node in report["nodes"]) > 1 << 20
assert {probe["name"] for probe in report["probes"]} >= {"mbind", "ptrace", "watchpoints"}
assert all(probe["works"] or probe["problem"] for probe in report["probes"])
