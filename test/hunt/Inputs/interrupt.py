"""Ends linesman hunt while its program is watched: interrupt.py FOLDER PROGRAM."""

import os
import pathlib
import signal
import subprocess
import sys

folder, program = sys.argv[1:]
pipe = pathlib.Path(folder) / "started"
subprocess.run(["mkfifo", pipe], check=True)
script = pathlib.Path(folder) / "script"
script.write_text(f"#!/bin/sh\necho $$ >{pipe}\nexec {program} 1000\n")
script.chmod(0o755)
hunt = subprocess.Popen(
    ["linesman", "hunt", f"--state={folder}/hunt", f"--program={program}", "--", script],
    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
process = pipe.read_text().strip()
hunt.send_signal(signal.SIGTERM)
output, _ = hunt.communicate()
print(output)
print(f"exit {hunt.returncode}, programs left: {int(os.path.exists('/proc/' + process))}")
