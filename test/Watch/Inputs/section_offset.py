"""Prints where a symbol is as ".section+0xoffset": section_offset.py BINARY SYMBOL."""

import re
import subprocess
import sys

binary, symbol = sys.argv[1:]


def rows(option):
    return subprocess.run(["llvm-readelf", option, "--wide", binary], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


address = next(int(r.split()[1], 16) for r in rows("--symbols") if r.split()[-1:] == [symbol])
for row in rows("--sections"):
    if m := re.match(r"\s*\[\s*\d+\]\s+(\.\S+)\s+\S+\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)", row):
        name, start, size = m[1], int(m[2], 16), int(m[3], 16)
        # Thread-local sections overlap with what follows.
        if start <= address < start + size and not name.startswith(".t"):
            print(f"{name}+0x{address - start:x}")
            break
