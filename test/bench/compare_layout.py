# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The measurement of layout-speed.sh: compare_layout.py LINESMAN LLVM BINARY[=TIME,MEMORY]..."""

import os
import pathlib
import shutil
import subprocess
import sys

from measure import Ratio, in_turn, median, ratio, row, seconds

ROUNDS = 9
GOAL = "0.1,1.5"  # of llvm-nm's time, of the sections' bytes
MEASURED_SECTIONS = (".symtab", ".strtab", ".debug_linesman", ".debug_linesman_str")

linesman, llvm = sys.argv[1], pathlib.Path(sys.argv[2])


def peers(binary):
    """Readers of symbols that people use today; what is not installed is left out."""
    commands = {"llvm-nm": [llvm / "llvm-nm"], "nm": ["nm"], "readelf": ["readelf", "-sW"], "bloaty": ["bloaty", "-d", "symbols"]}
    return {name: [*command, binary] for name, command in commands.items() if shutil.which(command[0])}


def section_bytes(binary):
    text = subprocess.run([llvm / "llvm-readelf", "-SW", binary], check=True, stdout=subprocess.PIPE, text=True).stdout
    sizes = {}
    for line in text.splitlines():
        fields = line.replace("[", " ").replace("]", " ").split()
        if len(fields) > 5 and fields[1] in MEASURED_SECTIONS:
            sizes[fields[1]] = int(fields[5], 16)
    return sizes


def measure(argument):
    """Symbols, and seconds of `layout`, after the rows of one binary."""
    binary, _, bounds = argument.partition("=")
    time_bound, memory_bound = map(float, (bounds or GOAL).split(","))
    others = peers(binary)
    costs = in_turn({"version": [linesman, "--version"], "layout": [linesman, "layout", binary], **others}, ROUNDS)
    sections = section_bytes(binary)
    symbols, total = sections.get(".symtab", 0) // 24, sum(sections.values())
    case = f"{os.path.basename(binary)}, {symbols} symbols, {os.path.getsize(binary) / 1e6:.0f} MB"
    mine = f"user time {seconds(median(costs['layout']))}"
    within = True
    for name in others:
        bound = time_bound if name == "llvm-nm" else None
        within &= row("layout-speed", case, mine, f"{name} {seconds(median(costs[name]))}", ratio(costs["layout"], costs[name]), bound)
    # Beyond what the same libraries take without a file.
    extra = max(cost.peak for cost in costs["layout"]) - max(cost.peak for cost in costs["version"])
    used = extra / total
    within &= row("layout-speed", case, f"memory {extra / 1e6:.1f} MB", f"sections {total / 1e6:.1f} MB", Ratio(used, used, used), memory_bound)
    return within, symbols, median(costs["layout"]) - median(costs["version"])


results = [measure(argument) for argument in sys.argv[3:]]
if os.environ.get("GROWTH"):
    # Of binaries that differ in size only, given in that order.
    (_, first, least), (_, last, most) = results[0], results[-1]
    growth = most / least / (last / first)
    row("layout-speed", f"{first} to {last} symbols", f"user time {most / least:.0f} times", f"symbols {last / first:.0f} times", Ratio(growth, growth, growth))
sys.exit(not all(within for within, _, _ in results))
