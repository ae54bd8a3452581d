"""Holds one debug register of every thread of a process through perf while a
command runs: hold_register.py PID COMMAND..."""

import ctypes
import os
import struct
import subprocess
import sys

PERF_TYPE_BREAKPOINT, HW_BREAKPOINT_W = 5, 2
DISABLED, EXCLUDE_KERNEL, EXCLUDE_HV = 1 << 0, 1 << 5, 1 << 6
libc = ctypes.CDLL(None, use_errno=True)
pid = sys.argv[1]
# struct perf_event_attr, and in it an address that can be watched.
attributes = bytearray(128)
struct.pack_into("=II", attributes, 0, PERF_TYPE_BREAKPOINT, len(attributes))
struct.pack_into("=Q", attributes, 40, DISABLED | EXCLUDE_KERNEL | EXCLUDE_HV)
struct.pack_into("=IQQ", attributes, 52, HW_BREAKPOINT_W, 4096, 8)
for thread in os.listdir(f"/proc/{pid}/task"):
    event = libc.syscall(298, bytes(attributes), int(thread), -1, -1, 0)
    if event < 0:
        sys.exit(f"perf_event_open: {os.strerror(ctypes.get_errno())}")
sys.exit(subprocess.run(sys.argv[2:]).returncode)
