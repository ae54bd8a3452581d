"""Kills a relink at many points: the output is the old or the new file, never
anything else. kill_relink.py LINESMAN OUTPUT COMMAND..."""

import os
import pathlib
import signal
import subprocess
import sys
import time

linesman, output, *command = sys.argv[1:]
output = pathlib.Path(output)
old = output.read_bytes()


def start():
    return subprocess.Popen([linesman, "relink", "--isolate=b", "-o", str(output), "--", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


begin = time.monotonic()
assert start().wait() == 0
whole = time.monotonic() - begin
new = output.read_bytes()
assert new != old
seen = {"old": 0, "new": 0}
rounds = 24
for step in range(rounds):
    output.write_bytes(old)
    process = start()
    # Spread over the run: the points are not exact, and need not be.
    time.sleep(whole * step / (rounds - 4))
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    now = output.read_bytes()
    assert now in (old, new), f"torn after {step} of {rounds}"
    seen["old" if now == old else "new"] += 1
assert seen["old"], seen
print("killed", rounds, "times: old or new")
