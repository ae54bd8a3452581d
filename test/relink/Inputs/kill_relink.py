"""Kills a relink at known points: the output is the old or the new file, never
anything else. kill_relink.py LINESMAN LINKER OUTPUT WORD...

The linker is a script that stops at a pipe, before and after it links; what
stands behind the rename is a relink that cannot print, since its stdout is full."""

import fcntl
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys

linesman, linker, output, *words = sys.argv[1:]
# What a shell's background job ignores, linesman would ignore as well.
for number in (signal.SIGTERM, signal.SIGINT):
    signal.signal(number, signal.SIG_DFL)
output = pathlib.Path(output)
old = output.read_bytes()
temporary = pathlib.Path("tmp").absolute()
temporary.mkdir()
os.mkfifo("arrived")
os.mkfifo("go")
script = pathlib.Path("ld")
script.write_text(f"""#!/bin/sh
echo before >arrived && read go <go || exit
{linker} "$@" || exit
echo after >arrived && read go <go
""")
script.chmod(0o755)
files = set(os.listdir())


def start(stdout=subprocess.DEVNULL):
    return subprocess.Popen(
        [linesman, "relink", "--isolate=b", "-o", str(output), "--", str(script.absolute()), *words, "-o", str(output)],
        stdout=stdout, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(temporary)}, start_new_session=True)


# Open for both: nobody waits for the other end.
arrived = os.open("arrived", os.O_RDWR)
go = os.open("go", os.O_RDWR)


def arrive(at):
    """Lets the linker go on until it is at a point."""
    while os.read(arrived, 100).decode().strip() != at:
        os.write(go, b"go\n")


def kill(process, how):
    if how == signal.SIGKILL:
        os.killpg(process.pid, how)
    else:
        process.send_signal(how)
    said = process.communicate()[1]
    left = {*os.listdir()} - files, os.listdir(temporary)
    if how != signal.SIGKILL:
        assert left == (set(), []), left
        assert "interrupted" in said, said
    # The next run would collect it too (changed-input.test).
    for name in left[0]:
        shutil.rmtree(name)
    shutil.rmtree(temporary)
    temporary.mkdir()
    return output.read_bytes()


for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
    for point in ("before", "after"):
        process = start()
        arrive(point)
        assert kill(process, how) == old, (how, point)

reader, writer = os.pipe()
fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
os.write(writer, b"x" * fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ))
process = start(stdout=writer)
# The tail may need a second link.
while output.read_bytes() == old:
    if select.select([arrived], [], [], 0.01)[0] and os.read(arrived, 100):
        os.write(go, b"go\n")
new = kill(process, signal.SIGKILL)
subprocess.run([linesman, "relink", "--isolate=b", "-o", "whole", "--", linker, *words, "-o", "whole"], check=True)
assert new == pathlib.Path("whole").read_bytes()
print("killed: old or new")
