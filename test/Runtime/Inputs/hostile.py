"""A hostile client of the shim in process PID: 10,000 connections, messages of
any length and content, requests outside every range, replies that nobody reads.
Prints what it got; the process must not notice. hostile.py PID SEED"""

import errno
import os
import random
import socket
import struct
import sys

pid, seed = int(sys.argv[1]), int(sys.argv[2])
path = f"/tmp/linesman-{os.getuid()}/{pid}"
MAGIC = 0x4D48534C
random.seed(seed)


def request(kind, begin=0, end=0, node=0, flags=0, magic=MAGIC, version=1, serial=7, reserved=0):
    return struct.pack("=IHHIIQQiI", magic, version, kind, serial, flags, begin, end, node, reserved)


def connect():
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.settimeout(60)
    while True:
        try:
            s.connect(path)
            return s
        except BlockingIOError:
            continue


def ask(s, message):
    """Status and count of the reply; None when the connection is closed."""
    try:
        s.send(message)
        reply = s.recv(65536)
    except (ConnectionResetError, BrokenPipeError):
        return None
    if len(reply) < 24:
        return None
    magic, version, kind, serial, status, call, error, count = struct.unpack("=IHHIHHiI", reply[:24])
    assert magic == MAGIC and version == 1
    return status, count


def patient():
    """A connection that is served: others of ours may fill the places."""
    while True:
        s = connect()
        answer = ask(s, request(1))
        if answer and answer[0] == 0:
            return s
        s.close()


for i in range(10000):
    s = connect()
    if i % 3 == 0:
        try:
            s.send(random.randbytes(random.randrange(1, 200)))
        except OSError:
            pass
    s.close()
print("connected 10000")

s = patient()
statuses = set()
good = request(1)
for length in range(1, 80):
    answer = ask(s, (good + b"x" * 40)[:length])
    assert answer is not None, length
    assert (answer[0] == 0) == (length == 40), (length, answer)
for kind in [0, *range(10, 40), 65535]:
    assert ask(s, request(kind))[0] == 2, kind
assert ask(s, request(1, magic=1))[0] == 2
assert ask(s, request(1, version=2))[0] == 3
assert ask(s, request(1, reserved=1))[0] == 2
assert ask(s, request(2, begin=1 << 40))[0] == 2
assert ask(s, request(9))[0] == 8
for kind in (3, 4, 5):
    assert ask(s, request(kind, 0, 4096))[0] == 4  # the zero page
    assert ask(s, request(kind, 4096, 0))[0] == 2
    assert ask(s, request(kind, 1, 4097))[0] == 2
    assert ask(s, request(kind, 0, 1 << 40))[0] == 5
    assert ask(s, request(kind, 2**64 - 4096, 2**64 - 4096))[0] == 2
    assert ask(s, request(kind, (2**64) - 8192, 2**64 - 4096))[0] == 4
maps = [line.split() for line in open(f"/proc/{pid}/maps")]
for line in maps:
    begin, end = (int(part, 16) for part in line[0].split("-"))
    # The stack, heap, code: not static data, and so not ours to move.
    if end < 2**63 and ("x" in line[1] or line[-1] in ("[stack]", "[heap]")):
        assert ask(s, request(4, begin, begin + 4096))[0] == 4, line
print("refused")
for _ in range(3000):
    message = bytearray(request(random.randrange(0, 12), random.getrandbits(48) & ~4095, random.getrandbits(48) & ~4095, random.randrange(-5, 5)))
    if random.random() < 0.5:
        message[random.randrange(len(message))] = random.randrange(256)
    ask(s, bytes(message)) or (s := patient())
print("survived noise")
# Replies that nobody takes: the shim drops the client, and waits for nobody.
for _ in range(100):
    t = connect()
    t.setblocking(False)
    try:
        while True:
            t.send(request(2))
    except OSError:
        pass
    t.close()
many = [connect() for _ in range(12)]
for t in many:
    t.close()
s.close()
s = patient()
print("still answers")
