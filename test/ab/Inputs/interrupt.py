"""Ends linesman ab as soon as its first command runs."""

import pathlib
import signal
import subprocess
import tempfile

with tempfile.TemporaryDirectory() as folder:
    pipe = pathlib.Path(folder) / "started"
    subprocess.run(["mkfifo", pipe], check=True)
    command = f"echo $$ >{pipe}; exec sleep 1000"
    ab = subprocess.Popen(["linesman", "ab", command, command], stdout=subprocess.PIPE, text=True)
    process = pipe.read_text().strip()
    ab.send_signal(signal.SIGTERM)
    output, _ = ab.communicate()
    print(output)
    alive = pathlib.Path(f"/proc/{process}").exists()
    print(f"exit {ab.returncode}, commands left: {int(alive)}")
