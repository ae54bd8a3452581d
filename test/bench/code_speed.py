# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The measurement of code-speed.sh: code_speed.py LINESMAN LLVM BINARY ROUNDS"""

import os
import subprocess
import sys

from measure import Ratio, in_turn, ratio, row, seconds, spread

RATIO_BOUND, SPEED_BOUND, MEMORY_BOUND = 0.3, 25, 3  # of llvm-objdump -d, megabytes a second, of the code

linesman, llvm, binary, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
sizes = subprocess.run([f"{llvm}/llvm-size", "-A", binary], check=True, stdout=subprocess.PIPE, text=True).stdout
code = next(int(line.split()[1]) for line in sizes.splitlines() if line.startswith(".text "))

costs = in_turn({"code": [linesman, "layout", "--facts=code", binary], "compiler": [linesman, "layout", "--facts=compiler", binary]}, rounds)
# A quarter hour of objdump would tell no more.
objdump = in_turn({"objdump": [f"{llvm}/llvm-objdump", "-d", binary]}, min(rounds, 2), warm=False)["objdump"]

processor = lambda cost: cost.user + cost.system
mine, other = spread([processor(cost) for cost in costs["code"]]), spread([processor(cost) for cost in objdump])
case = f"{os.path.basename(binary)}, {code / 1e6:.1f} MB of code"
within = row("code-speed", case, f"processor time {seconds(mine.median)}", f"llvm-objdump -d {seconds(other.median)}",
             Ratio(*(time / other.median for time in mine)), RATIO_BOUND)
speed = code / 1e6 / mine.median
within &= row("code-speed", case, f"{speed:.0f} MB a second", f"wanted {SPEED_BOUND}", Ratio(*(SPEED_BOUND * time / (code / 1e6) for time in mine)), 1)
peak, plain = (max(cost.peak for cost in costs[name]) for name in ("code", "compiler"))
within &= row("code-speed", case, f"memory {peak / 1e6:.0f} MB, {plain / 1e6:.0f} without reading code", "the code", Ratio(*[peak / code] * 3), MEMORY_BOUND)
sys.exit(not within)
