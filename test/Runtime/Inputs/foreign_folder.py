"""linesman run, pages, place and dirty as a user whose folder in /tmp is another's:
foreign_folder.py HOST SHIM"""

import os
import shutil
import subprocess
import sys
import tempfile

host, shim = sys.argv[1:]
# A user who has no name, and no processes but ours.
user = 1_000_000 + os.getpid()
folder = f"/tmp/linesman-{user}"
as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]


def show(text, pid=0):
    for line in text.splitlines():
        words = line.replace(folder, "FOLDER").replace(f"user {user}", "USER")
        if pid:
            words = words.replace(f"process {pid} ", "process PID ")
        print(words, flush=True)


def inspect(program, tools):
    """What the program says, and what three commands say of it."""
    process = subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    ready = process.stdout.readline().split()
    if not ready:
        sys.exit(f"{program} did not start: {process.communicate()[1]}")
    for command in (["pages"], ["place", "written_page=0"], ["dirty", "--duration=0.1"]):
        call = [*tools, command[0], ready[1], *command[1:]]
        result = subprocess.run(call, capture_output=True, text=True)
        lines = result.stdout + result.stderr
        if command == ["pages"] and result.returncode == 0:
            lines = next(" ".join(line.split()[1:]) for line in lines.splitlines() if "written_page" in line)
        tools_said.append((lines, ready[1]))
    _, err = process.communicate("")
    show(err)
    print(ready[0])
    for lines, pid in tools_said:
        show(lines, pid)
    tools_said.clear()


tools_said = []
# The other user may not be able to enter the folders of the build and of lit.
with tempfile.TemporaryDirectory(dir="/tmp") as copies:
    os.chmod(copies, 0o755)
    for name in ("bin", "lib"):
        os.mkdir(os.path.join(copies, name))
    linesman = shutil.copy(shutil.which("linesman"), os.path.join(copies, "bin"))
    shutil.copy(shim, os.path.join(copies, "lib"))
    program = shutil.copy(host, copies)
    os.mkdir(folder, 0o700)
    try:
        print("root's folder")
        inspect([*as_user, linesman, "run", "--", program], [*as_user, linesman])
        print("a folder that is open to others")
        os.chown(folder, user, user)
        os.chmod(folder, 0o755)
        result = subprocess.run(
            [*as_user, linesman, "run", "--", program], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        show(result.stderr)
    finally:
        os.rmdir(folder)
    print("root's process without a shim")
    inspect([program], [*as_user, linesman])
    print("root's process with a shim")
    inspect([linesman, "run", "--", program], [*as_user, linesman])
