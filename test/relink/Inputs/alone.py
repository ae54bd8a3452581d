"""Proves that an object has its lines for itself, by the symbol table as nm has
it and by linesman's own map: alone.py BINARY LINE-SIZE SYMBOL..."""

import json
import subprocess
import sys

binary, line = sys.argv[1], int(sys.argv[2])
table = []
for row in subprocess.run(["llvm-nm", "-S", binary], check=True, capture_output=True, text=True).stdout.splitlines():
    words = row.split()
    if len(words) == 4 and words[2] in "bBdDVvuCW":
        table.append((int(words[0], 16), int(words[1], 16), words[3]))
report = subprocess.run(
    ["linesman", "layout", "--all", "--format=json", f"--line-size={line}", binary],
    check=True,
    capture_output=True,
    text=True,
).stdout
lines = json.loads(report)["lines"]


def isAlone(begin, size):
    first, last = begin // line, (begin + size - 1) // line
    for at, length, other in table:
        if at // line <= last and (at + length - 1) // line >= first and not begin <= at < begin + size:
            return f"nm has {other} on its line"
    for entry in lines:
        if first <= int(entry["address"], 16) // line <= last:
            for occupant in entry["occupants"]:
                at = int(occupant["address"], 16)
                if occupant["symbol"] not in ("[hole]", "[padding]") and not begin <= at < begin + size:
                    return f"linesman has {occupant['symbol']} on its line"
    return None


for symbol in sys.argv[3:]:
    found = [(at, size) for at, size, name in table if name == symbol]
    assert found, f"{symbol} is not in {binary}"
    # Of several local objects of one name, one was meant.
    problems = [isAlone(at, size) for at, size in found]
    assert None in problems, f"{symbol}: {problems}"
    assert len(found) == 1 or len([p for p in problems if not p]) == 1, f"{symbol}: {len(found)} are alone"
    print(f"{symbol}: alone")
