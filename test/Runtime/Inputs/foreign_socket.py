"""Starts PROGRAM with SHIM and variables that name a socket of ours which is not
the driver's: foreign_socket.py PROGRAM SHIM"""

import os
import socket
import subprocess
import sys

program, shim = sys.argv[1:]
theirs, ours = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
os.dup2(theirs.fileno(), 205)
file = os.stat(program)
variables = {"LD_PRELOAD": shim, "LINESMAN_CONTROL": "205:1:0", "LINESMAN_PROGRAM": f"{file.st_dev}:{file.st_ino}"}
ended = subprocess.run([program], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, close_fds=False, env=dict(os.environ, **variables))
ours.setblocking(False)
try:
    sent = ours.recv(100)
except BlockingIOError:
    sent = "nothing"
print(ended.returncode, sent, "sent")
