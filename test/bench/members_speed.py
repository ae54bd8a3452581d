# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""members.sh's row: a report with members beside pahole, which tells one type.
members_speed.py LINESMAN BINARY TYPE CASE"""

import shutil
import sys

from measure import in_turn, median, ratio, row, seconds

linesman, binary, kind, case = sys.argv[1:]
if not shutil.which("pahole"):
    sys.exit("pahole is missing (Debian: pahole)")
costs = in_turn({"layout": [linesman, "layout", "--facts=compiler", binary], "pahole": ["pahole", "-C", kind, binary]}, 3)
mine, other = (seconds(median(costs[name], "wall")) for name in ("layout", "pahole"))
row("members-speed", case, f"layout with members {mine}", f"pahole of one type {other}", ratio(costs["layout"], costs["pahole"], "wall"))
