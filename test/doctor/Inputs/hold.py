"""Holds all debug registers of a process by perf events, and asks the doctor."""

import ctypes
import os
import platform
import subprocess
import sys

PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}[platform.machine()]
libc = ctypes.CDLL(None, use_errno=True)
target = subprocess.Popen(["sleep", "1000"])
held = []
try:
    for _ in range(4):
        # perf_event_attr: type 5 (breakpoint), size 128, disabled, excluding the
        # kernel; bp_type write, bp_addr, bp_len.
        attr = (ctypes.c_uint64 * 16)()
        attr[0] = 5 | 128 << 32
        attr[5] = 1 | 1 << 5 | 1 << 6
        attr[6] = 2 << 32
        attr[7], attr[8] = 16, 8
        number = libc.syscall(PERF_EVENT_OPEN, attr, target.pid, -1, -1, 0)
        if number < 0:
            sys.exit(f"perf_event_open: {os.strerror(ctypes.get_errno())}")
        held.append(number)
    print(subprocess.run(["linesman", "doctor", f"--pid={target.pid}"], capture_output=True, text=True, check=True).stdout)
    print(f"this is process {os.getpid()}")
finally:
    target.kill()
