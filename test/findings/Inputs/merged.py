"""Prints "identity: rung, kinds of evidence[, remark]" for each merged finding."""

import json
import sys

for finding in json.load(open(sys.argv[1]))["findings"]:
    kinds = {each["from"] for each in finding["evidence"]}
    remark = f", {finding['remark']}" if "remark" in finding else ""
    print(f"{finding['id']}: {finding['rung']}, {len(kinds)} kinds{remark}")
