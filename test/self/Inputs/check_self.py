"""No lock of the record runtime shares its line with another object, and the
tool's own data is below a score: check_self.py RECORD_JSON TOOL_JSON"""

import json
import sys

locks = 0
for line in json.load(open(sys.argv[1]))["lines"]:
    names = {occupant["name"].rsplit("::", 1)[-1] for occupant in line["occupants"]}
    held = {name for name in names if name.endswith("Lock") and not name.startswith("Real")}
    locks += len(held)
    assert not held or len(names) == 1, f"{line['address']}: {sorted(names)}"
assert locks == 5, f"{locks} locks"
total = json.load(open(sys.argv[2]))["total_score"]
assert total < 30, total
print(f"{locks} locks, total score {total:g}")
