"""Ends a scan when it has a result, and goes on. Usage: interrupt.py PROGRAM FOLDER"""

import json
import pathlib
import signal
import subprocess
import sys
import time

program, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
copies, state = folder / "copies", folder / "state"
copies.mkdir(parents=True)
COUNT = 40
for i in range(COUNT):
    # Other contents, the same program.
    (copies / f"{i:02}").write_bytes(program.read_bytes() + bytes([i + 1]))


def known():
    return [json.loads(line) for line in state.read_text().splitlines()] if state.exists() else []


command = ["linesman", "scan", "--jobs=1", f"--state={state}", str(copies)]
scan = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
while not known():
    assert scan.poll() is None, "it ended before it knew anything"
    time.sleep(0.01)
scan.send_signal(signal.SIGTERM)
out, err = scan.communicate()
first = known()
assert 0 < len(first) < COUNT, f"{len(first)} results at the end, exit code {scan.returncode}"
assert scan.returncode == 2 and "stopped before all was read; the same command goes on" in out, (scan.returncode, out, err)

again = subprocess.run(command, capture_output=True, text=True)
assert again.returncode == 0, again
assert f"{COUNT} files read" in again.stdout, again.stdout
last = known()
# What was known is not read again: its line has the time that it took.
assert [r for r in last if r["path"] in {f["path"] for f in first}][: len(first)] == first
assert len({r["path"] for r in last}) == COUNT
assert {r["path"]: r["seconds"] for r in last}[first[0]["path"]] == first[0]["seconds"]
print("the second scan went on")
