"""Traces a process, and asks the doctor."""

import ctypes
import os
import subprocess
import sys

PTRACE_SEIZE = 0x4206
libc = ctypes.CDLL(None, use_errno=True)
traced = subprocess.Popen(["sleep", "1000"])
try:
    if libc.ptrace(PTRACE_SEIZE, traced.pid, None, None) != 0:
        sys.exit(f"ptrace: {os.strerror(ctypes.get_errno())}")
    print(f"tracer {os.getpid()} traced {traced.pid}", flush=True)
    subprocess.run(["linesman", "doctor"], check=True)
finally:
    traced.kill()
