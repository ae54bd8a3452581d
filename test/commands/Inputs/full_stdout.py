"""Runs commands whose stdout or stderr takes nothing: full_stdout.py FOLDER"""

import os
import re
import subprocess
import sys


def run(*args, **streams):
    return subprocess.run(["linesman", *args], stdin=subprocess.DEVNULL, text=True, **streams)


full = open("/dev/full", "w")
usage = subprocess.check_output(["linesman", "--help"], text=True)
commands = re.findall(r"^  ([\w-]+)", usage.split("commands:")[1].split("\n\n")[0], re.M)
problems = []
writing = [["--help"], ["--version"], *([command, "--help"] for command in commands)]
writing += [["place", str(os.getpid()), "all=0"], ["pages", str(os.getpid())]]
for args in writing:
    result = run(*args, stdout=full, stderr=subprocess.PIPE)
    if result.returncode != 2 or result.stderr != "linesman: error: 'stdout': No space left on device\n":
        problems.append(f"{args}: exit {result.returncode}, {result.stderr!r}")
# A closed one is no success either, and who works for long looks first.
closed = ["bash", "-c", 'exec linesman "$@" >&-', "bash"]
ran = os.path.join(sys.argv[1], "ran")
long = [[*command, "--", "touch", ran] for command in (["record"], ["watch", "--symbol=x"], ["bisect"])]
for args in [*writing, *long]:
    result = subprocess.run([*closed, *args], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    expected = "linesman: error: 'stdout': Bad file descriptor\n"
    if result.returncode != 2 or result.stderr != expected:
        problems.append(f"{args} with a closed stdout: exit {result.returncode}, {result.stderr!r}")
if os.path.exists(ran):
    problems.append("a program ran, whose report could not be written")
# What needs no stdout works, and no file takes its place; a program that
# inherits it can not write either.
pages = os.path.join(sys.argv[1], "pages")
result = subprocess.run([*closed, "pages", str(os.getpid()), "-o", pages], stdin=subprocess.DEVNULL)
if result.returncode != 0 or not os.path.getsize(pages):
    problems.append(f"pages -o FILE with a closed stdout: exit {result.returncode}")
script = "import os; os.write(1, b'x')"
result = subprocess.run([*closed, "run", "--", sys.executable, "-c", script], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
if result.returncode != 1 or b"Bad file descriptor" not in result.stderr:
    problems.append(f"run with a closed stdout: exit {result.returncode}, {result.stderr!r}")
# Nobody can be told, and still it is no crash.
for args in [[], ["none"], ["layout", "none"], ["layout", "--none"]]:
    if (status := run(*args, stdout=subprocess.PIPE, stderr=full).returncode) != 2:
        problems.append(f"{args} with a full stderr: exit {status}")
    if (status := subprocess.run(["bash", "-c", 'exec linesman "$@" 2>&-', "bash", *args]).returncode) != 2:
        problems.append(f"{args} without stderr: exit {status}")

print("\n".join(problems) or f"{len(writing)} calls said it")
sys.exit(bool(problems))
