"""What linesman findings makes of a report, against the report: it must lose nothing.
Usage: read_back.py REPORT"""

import json
import subprocess
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
words = ["linesman", "findings", f"--report={sys.argv[1]}", "--format=json"]
again = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)

assert report["findings"], "a report without findings shows nothing"
read = {finding["id"]: finding for finding in again["findings"]}
assert len(read) == len(again["findings"]) == len({finding["id"] for finding in report["findings"]})
for finding in report["findings"]:
    # What has been merged already carries its own evidence.
    for key in finding.keys() - {"evidence"}:
        assert read[finding["id"]].get(key) == finding[key], (finding["id"], key, read[finding["id"]].get(key), finding[key])
print(f"{report['command']}: {len(read)} findings with all that they had")
