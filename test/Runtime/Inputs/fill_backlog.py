"""Stops process PID, connects to its shim until no more can wait there, and asks
linesman for its pages: fill_backlog.py PID"""

import glob
import os
import signal
import socket
import subprocess
import sys

pid = int(sys.argv[1])
path = f"/tmp/linesman-{os.getuid()}/{pid}"
os.kill(pid, signal.SIGSTOP)
# The shim's thread may be accepting still.
while not all("(stopped)" in open(status).read() for status in glob.glob(f"/proc/{pid}/task/*/status")):
    pass
waiting = []
while True:
    client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    client.setblocking(False)
    waiting.append(client)
    try:
        client.connect(path)
    except BlockingIOError:
        break
try:
    subprocess.run(["linesman", "pages", str(pid)], timeout=60)
finally:
    os.kill(pid, signal.SIGCONT)
