# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Place of the first finding of a JSON report on stdin that names what a regular
expression matches: its id, or an occupant that somebody writes or reads.
first_named.py REGEX; prints "PLACE (SCORE)", or "-"."""

import json
import re
import sys

wanted = re.compile(sys.argv[1])
for place, finding in enumerate(json.load(sys.stdin)["findings"], 1):
    used = [o.get("name", "") for o in finding["occupants"] if o.get("writes") or o.get("atomics") or o.get("reads")]
    if any(map(wanted.search, [finding["id"], *used])):
        print(f"{place} ({finding['score']:.3g})")
        break
else:
    print("-")
