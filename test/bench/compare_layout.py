# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The measurement of layout-speed.sh: compare_layout.py LINESMAN LLVM BINARY[=TIME,MEMORY]..."""

import os
import pathlib
import statistics
import subprocess
import sys

RUNS = 9
GOAL = "0.1,1.5"  # of llvm-nm's time, of the sections' bytes
MEASURED_SECTIONS = (".symtab", ".strtab", ".debug_linesman", ".debug_linesman_str")

linesman, llvm = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*command):
    """User time in seconds and peak memory in bytes."""
    with open(os.devnull, "w") as null:
        process = subprocess.Popen(command, stdout=null)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed with {process.returncode}")
    return usage.ru_utime, usage.ru_maxrss * 1024


def section_bytes(binary):
    text = subprocess.run([llvm / "llvm-readelf", "-SW", binary], check=True, stdout=subprocess.PIPE, text=True).stdout
    sizes = {}
    for line in text.splitlines():
        fields = line.replace("[", " ").replace("]", " ").split()
        if len(fields) > 5 and fields[1] in MEASURED_SECTIONS:
            sizes[fields[1]] = int(fields[5], 16)
    return sizes


def measure(argument):
    binary, _, bounds = argument.partition("=")
    time_bound, memory_bound = map(float, (bounds or GOAL).split(","))
    commands = {
        "version": (linesman, "--version"),
        "layout": (linesman, "layout", binary),
        "nm": (llvm / "llvm-nm", binary),
    }
    times, memory = {name: [] for name in commands}, {}
    for command in commands.values():
        run(*command)
    for _ in range(RUNS):
        for name, command in commands.items():
            seconds, peak = run(*command)
            times[name].append(seconds)
            memory[name] = max(memory.get(name, 0), peak)
    layout, nm, start = (statistics.median(times[name]) * 1e3 for name in ("layout", "nm", "version"))
    extra, sections = memory["layout"] - memory["version"], section_bytes(binary)
    total = sum(sections.values())
    symbols = sections.get(".symtab", 0) // 24
    print(f"{os.path.basename(binary)}: {symbols} symbols, {os.path.getsize(binary) / 1e6:.0f} MB")
    print(f"  user time: linesman {layout:.0f} ms ({start:.0f} of them to start), llvm-nm {nm:.0f} ms: {layout / nm:.3f} (bound {time_bound})")
    print(f"  memory: {extra / 1e6:.1f} MB for {total / 1e6:.1f} MB of sections: {extra / total:.2f} (bound {memory_bound})")
    return layout <= time_bound * nm and extra <= memory_bound * total


sys.exit(not all([measure(argument) for argument in sys.argv[3:]]))
