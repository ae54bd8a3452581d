"""Hunts in a running process: running.py PROGRAM FOLDER. Says whether the process
still runs afterwards."""

import subprocess
import sys

program, folder = sys.argv[1:]
target = subprocess.Popen([program, "1000"])
try:
    hunt = subprocess.run(["linesman", "hunt", f"--state={folder}", f"--pid={target.pid}"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    print(hunt.stdout)
    print(f"exit {hunt.returncode}, running: {target.poll() is None}")
finally:
    target.kill()
