"""Writes to the socket that it has inherited what no shim would, then becomes
PROGRAM: hostile.py PROGRAM COUNT SEED
Or names VICTIM, a number of a process, as the program that stands before main,
and ends: hostile.py --forge VICTIM"""

import os
import random
import socket
import struct
import sys

MAGIC, HELLO = 0x4D48534C, 1
control = socket.socket(fileno=int(os.environ["LINESMAN_CONTROL"].split(":")[0]))


def hello(magic=MAGIC, version=2, kind=HELLO, serial=0, status=0, count=1, pid=1):
    return struct.pack("=IHHIHHiI", magic, version, kind, serial, status, 0, 0, count) + struct.pack("=iIII", pid, 4096, 1, 0)


if sys.argv[1] == "--forge":
    control.send(hello(pid=int(sys.argv[2])))
    sys.exit(0)

random.seed(int(sys.argv[3]))
null = os.open("/dev/null", os.O_RDONLY)
for _ in range(int(sys.argv[2])):
    choice = random.randrange(5)
    if choice == 0:
        message = random.randbytes(random.choice([0, 1, 23, 24, 39, 40, 41, 4096]))
    else:
        # Wrong in one thing.
        wrong = [("magic", 1), ("kind", random.randrange(2, 9)), ("serial", 1), ("count", 2)][choice - 1]
        message = hello(**dict([wrong]))
    if random.random() < 0.3:
        socket.send_fds(control, [message or b"x"], [null] * random.randrange(1, 20))
    else:
        control.send(message or b"x")
os.close(null)
os.set_inheritable(control.fileno(), True)
sys.stdout.flush()
os.execv(sys.argv[1], [sys.argv[1]])
