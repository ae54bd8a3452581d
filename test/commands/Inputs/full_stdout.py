"""Runs commands whose stdout or stderr takes nothing."""

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
# Nobody can be told, and still it is no crash.
for args in [[], ["none"], ["layout", "none"], ["layout", "--none"]]:
    if (status := run(*args, stdout=subprocess.PIPE, stderr=full).returncode) != 2:
        problems.append(f"{args} with a full stderr: exit {status}")
    if (status := subprocess.run(["bash", "-c", 'exec linesman "$@" 2>&-', "bash", *args]).returncode) != 2:
        problems.append(f"{args} without stderr: exit {status}")

print("\n".join(problems) or f"{len(writing)} calls said it")
sys.exit(bool(problems))
