"""Runs commands on a live process: with_process.py PROGRAM... --then COMMAND... [--then COMMAND...]

Starts the program (it prints "ready" and ends when its input does), then each
command with PID replaced by its number, then ends it. Prints the commands'
output and exit codes, and the program's at the end. No sleeps.
"""

import os
import subprocess
import sys

groups = [[]]
for word in sys.argv[1:]:
    if word == "--then":
        groups.append([])
    else:
        groups[-1].append(word)
program, commands = groups[0], groups[1:]

# A program that linesman starts prints its number itself: "ready PID".
host = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
line = host.stdout.readline()
while line and not line.startswith("ready "):
    print(line, end="")
    line = host.stdout.readline()
assert line, "the program ended before it was ready"
pid = line.split()[1]
for command in commands:
    result = subprocess.run(
        [word.replace("PID", pid) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    print(result.stdout.replace(pid, "PID"), end="")
    name = " ".join(os.path.basename(word) for word in command[:2])
    print(f"{name} exit {result.returncode}", flush=True)
rest, _ = host.communicate("")
print(f"{rest}program exit {host.returncode}")
