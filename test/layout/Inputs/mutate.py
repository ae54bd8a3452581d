"""Runs `linesman layout` on seeded mutations of a binary. Each must end with 0
and a report, or with 2, a message and nothing on stdout; JSON must parse.

    mutate.py COUNT BINARY SCRATCH-FILE [code | dwarf | types | debug-file=STRIPPED]

With "code", instructions are damaged too, and read; with "dwarf", nothing but
DWARF is; with "types", findings of types are asked for. A debug file is read for the binary whose it is.
"""

import json
import random
import re
import struct
import subprocess
import sys

count, binary, scratch = int(sys.argv[1]), sys.argv[2], sys.argv[3]
what, _, stripped = (sys.argv[4:] + [""])[0].partition("=")
with_code = what == "code"
whole = open(binary, "rb").read()
random.seed(20240601)

header_table = struct.unpack_from("<Q", whole, 0x28)[0]
headers = struct.unpack_from("<H", whole, 0x3C)[0]
sections = [struct.unpack_from("<IIQQQQIIQQ", whole, header_table + 64 * i) for i in range(headers)]
# Where the reader looks: the file header, section headers, symbols and facts.
targets = [(0, 64), (header_table, 64 * headers)]
targets += [(s[4], s[5]) for s in sections if s[1] != 8 and s[5] and not s[2] & 4]
if with_code:
    # As often as everything else together.
    targets += [(s[4], s[5]) for s in sections if s[2] & 4 and s[5]] * len(targets)
if what == "dwarf":
    names = sections[struct.unpack_from("<H", whole, 0x3E)[0]][4]
    name = lambda s: whole[names + s[0] : whole.index(b"\0", names + s[0])]
    # Small sections decide what the large ones mean.
    targets = [(s[4], s[5]) for s in sections if s[5] and re.match(rb"\.debug_(?!linesman)", name(s))]
    assert targets, "no DWARF to damage"
interesting = [0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 47, (1 << 63) - 1, (1 << 64) - 1]


def mutate():
    data = bytearray(whole)
    for _ in range(random.choice([1, 1, 1, 2, 8])):
        begin, size = random.choice(targets)
        at = begin + random.randrange(size)
        kind = random.randrange(4)
        if kind == 0:
            data[at] ^= 1 << random.randrange(8)
        elif kind == 1:
            data[at] = random.randrange(256)
        else:
            width = random.choice([2, 4, 8])
            at &= ~(width - 1)
            value = random.choice(interesting) & ((1 << 8 * width) - 1)
            data[at : at + width] = value.to_bytes(width, "little")
    if what != "dwarf" and random.randrange(10) == 0:
        del data[random.randrange(len(data)) :]
    return bytes(data)


ends = {0: 0, 2: 0}
crashes = 0
for number in range(count):
    with open(scratch, "wb") as file:
        file.write(mutate())
    form = random.choice(["text", "json"])
    read = [f"--debug-file={scratch}", stripped] if stripped else [scratch]
    facts = "code" if what in ("code", "dwarf") else "auto"
    command = ["linesman", "layout", f"--facts={facts}", f"--format={form}", *["--types"] * (what == "types"), *read]
    run = subprocess.run(command, capture_output=True, timeout=60)
    # With a sanitizer, crashes of LLVM's own library, which has none, are not survived.
    frames = re.findall(rb"^ *#\d+ .*", run.stderr, re.M)[:8]
    if run.returncode not in ends and any(b"libLLVM" in f for f in frames) and not any(b"linesman::" in f for f in frames[:5]):
        crashes += 1
        continue
    where = f"mutation {number} ({form}, kept in {scratch}): exit {run.returncode}: {run.stderr.decode()}"
    assert run.returncode in ends, where
    ends[run.returncode] += 1
    if run.returncode == 2:
        assert run.stderr.startswith(b"linesman: error: ") and not run.stdout, where
    elif form == "json":
        json.loads(run.stdout, parse_constant=lambda word: sys.exit(f"{where}: {word} in the report"))
    else:
        assert run.stdout, where
# Debug information is for people: without it the report is less, not nothing.
assert crashes <= count // 20, f"{crashes} crashes of LLVM's reader"
assert ends[0] and bool(ends[2]) == (what != "dwarf"), f"unexpected ends: {ends}"
