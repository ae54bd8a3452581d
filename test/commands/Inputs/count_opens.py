"""Usage: count_opens.py FILE COMMAND...

Runs the command and prints how often FILE was opened meanwhile, by whichever
process, as inotify counts. It merges two opens with nothing between them, so a
file that is opened again before it was closed counts once: our readers close
their descriptor when the bytes are mapped.
"""

import ctypes
import os
import struct
import subprocess
import sys

IN_CLOSE, IN_OPEN = 0x18, 0x20

libc = ctypes.CDLL(None, use_errno=True)
watch = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
file = sys.argv[1].encode()
if watch < 0 or libc.inotify_add_watch(watch, file, IN_OPEN | IN_CLOSE) < 0:
    sys.exit(f"inotify: {os.strerror(ctypes.get_errno())}")
result = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL)
if result.returncode:
    sys.exit(f"exit code {result.returncode}")
try:
    events = os.read(watch, 1 << 20)
except BlockingIOError:
    events = b""
# struct inotify_event of a file: a watch, a mask, a cookie, the length of no name.
print(sum(bool(mask & IN_OPEN) for _, mask, _, _ in struct.iter_unpack("iIII", events)))
