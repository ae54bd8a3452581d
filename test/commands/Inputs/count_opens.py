"""Usage: count_opens.py FILE COMMAND...

Runs the command and prints how often FILE was opened meanwhile, by whichever
process, as inotify counts. It merges an event with the one before where both
are the same, and a file that is mapped is not closed: two opens would be one.
The folder is watched as well, so that its event comes between.
"""

import ctypes
import os
import struct
import subprocess
import sys

IN_OPEN, IN_Q_OVERFLOW = 0x20, 0x4000

libc = ctypes.CDLL(None, use_errno=True)
events = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
path = os.path.abspath(sys.argv[1])
folder, file = (libc.inotify_add_watch(events, name.encode(), IN_OPEN) for name in (os.path.dirname(path), path))
if min(events, folder, file) < 0:
    sys.exit(f"inotify: {os.strerror(ctypes.get_errno())}")
result = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL)
if result.returncode:
    sys.exit(f"exit code {result.returncode}")
count = 0
try:
    while True:
        buffer = os.read(events, 1 << 16)
        while buffer:
            # struct inotify_event: a watch, a mask, a cookie, the length of the name that follows.
            watch, mask, _, length = struct.unpack_from("iIII", buffer)
            if mask & IN_Q_OVERFLOW:
                sys.exit("inotify: too many events")
            count += watch == file
            buffer = buffer[struct.calcsize("iIII") + length :]
except BlockingIOError:
    print(count)
