"""Scores of one program by compiler facts and by machine code:
check_scores.py COMPILER.json CODE.json LEAST. Of the first twenty lines by compiler facts
at least LEAST have a score by machine code (as a guess, where nothing is a sign of threads)
that differs by a factor of 10 at most."""

import json
import pathlib
import sys

compiler, code = (json.loads(pathlib.Path(name).read_text())["findings"] for name in sys.argv[1:3])
score_at = {finding["line"]["address"]: finding["score"] for finding in code}
equal = []
for finding in compiler[:20]:
    own, other = finding["score"], score_at.get(finding["line"]["address"], 0)
    print(f"{finding['id']:32} {own:10.1f} {other:10.1f}")
    equal.append(own / 10 <= other <= own * 10)
if len(equal) != 20 or sum(equal) < int(sys.argv[3]):
    sys.exit(f"{sum(equal)} of {len(equal)} lines agree")
