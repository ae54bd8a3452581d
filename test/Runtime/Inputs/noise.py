"""Sends a program that stands before main what no driver would, then lets it run:
noise.py SHIM PROGRAM SEED"""

import os
import random
import struct
import sys

from shim import MAGIC, PLACE, PREPARE, QUERY, REQUEST, START, VERSION, Shim

random.seed(int(sys.argv[3]))
host = Shim(os.path.abspath(sys.argv[1]), [sys.argv[2]])
statuses = set()
for _ in range(5000):
    size = random.choice([0, 1, 39, 40, 40, 40, 41, 4096])
    message = bytearray(random.randbytes(size))
    if size == 40 and random.random() < 0.8:
        # Right in form; START would end it.
        begin = random.getrandbits(63) & -4096
        end = begin + random.choice([0, 1, 4096, 4096 * 4096, 4097 * 4096, 1 << 62])
        kind = random.choice([0, 1, 2, QUERY, PLACE, PREPARE, 8, 65535])
        fields = [MAGIC, VERSION, kind, 1, random.getrandbits(2), begin, end, random.randint(-5, 1100), 0]
        message = struct.pack(REQUEST, *fields)
    if size:
        statuses.add(host.send(bytes(message))[0])
print("statuses", sorted(statuses))
# Right ranges, by hand.
for path, bias, ranges in host.modules():
    for begin, end in ranges:
        assert host.ask(PREPARE, begin, end)[0] == 0
        assert host.ask(PLACE, begin, end, node=-3)[0] == 0
        assert host.ask(QUERY, begin - 4096, end + 4096 * 4096)[0] != 0
host.ask(START)
host.process.communicate("")
print("program exit", host.process.returncode)
# One whose driver goes away runs on.
host = Shim(os.path.abspath(sys.argv[1]), [sys.argv[2]])
host.socket.close()
host.process.communicate("")
print("program exit", host.process.returncode)
