"""Runs `linesman layout` on seeded mutations of a binary. Each must end with 0
and a report, or with 2, a message and nothing on stdout; JSON must parse.

    mutate.py COUNT BINARY SCRATCH-FILE [code]

With "code", instructions are damaged too, and read.
"""

import json
import random
import struct
import subprocess
import sys

count, binary, scratch = int(sys.argv[1]), sys.argv[2], sys.argv[3]
with_code = sys.argv[4:] == ["code"]
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
    if random.randrange(10) == 0:
        del data[random.randrange(len(data)) :]
    return bytes(data)


ends = {0: 0, 2: 0}
for number in range(count):
    with open(scratch, "wb") as file:
        file.write(mutate())
    form = random.choice(["text", "json"])
    run = subprocess.run(["linesman", "layout", f"--facts={'code' if with_code else 'auto'}", f"--format={form}", scratch], capture_output=True, timeout=20)
    where = f"mutation {number} ({form}, kept in {scratch}): exit {run.returncode}: {run.stderr.decode()}"
    assert run.returncode in ends, where
    ends[run.returncode] += 1
    if run.returncode == 2:
        assert run.stderr.startswith(b"linesman: error: ") and not run.stdout, where
    elif form == "json":
        json.loads(run.stdout, parse_constant=lambda word: sys.exit(f"{where}: {word} in the report"))
    else:
        assert run.stdout, where
assert all(ends.values()), f"a mutation that only ever ends one way tests little: {ends}"
