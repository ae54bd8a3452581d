"""Signals to linesman record, with what the program and linesman make of them.

signal_record.py FOLDER PROGRAM
"""

import os
import signal
import subprocess
import sys

folder, program = sys.argv[1:]
temporary = os.path.join(folder, "temporary")
os.mkdir(temporary)


def unignore():
    """Whoever started the tests may have ignored them."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)


def record(how, name, mode, *args):
    command = ["linesman", "record", "--", program, *args]
    environment = {**os.environ, "TMPDIR": temporary}
    host = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
        preexec_fn=unignore,
    )
    # The program's stdout goes to stderr.
    assert host.stderr.readline() == "ready\n"
    number = getattr(signal, name)
    if "linesman" in how:
        host.send_signal(number)
    if "both" in how:
        os.killpg(host.pid, number)
    while "again" in how:
        try:
            host.wait(0.2)
            break
        except subprocess.TimeoutExpired:
            (os.killpg if "both" in how else os.kill)(host.pid, number)
    out, err = host.communicate()
    result = "a report" if out.startswith("Pair: ") else "no record" if "killed at the second signal" in err else out + err
    print(f"{how}, {name}, the program {mode}: {result}, exit {host.returncode}")
    for left in os.listdir(temporary):
        print(f"left over: {left}")


record("linesman alone", "SIGTERM", "exits", "exits")
record("linesman alone", "SIGTERM", "leaves it to us")
record("linesman alone", "SIGHUP", "exits", "exits")
record("both", "SIGINT", "exits", "exits")
record("both", "SIGINT", "leaves it to us")
# As timeout does it.
record("linesman and then both", "SIGTERM", "exits", "exits")
record("linesman again and again", "SIGTERM", "refuses", "refuses")
record("both again and again", "SIGINT", "refuses", "refuses")

# On two threads at once: the first writes, and the others wait for it.
complete = 0
path = os.path.join(folder, "several")
for attempt in range(40):
    with subprocess.Popen(
        [program, *["exits"][attempt % 2 :]],
        stdout=subprocess.PIPE,
        env={**os.environ, "LINESMAN_RECORD_FILE": path},
        preexec_fn=unignore,
    ) as host:
        host.stdout.readline()
        for _ in range(3):
            host.send_signal(signal.SIGTERM)
    with open(path) as file:
        complete += file.read().endswith("\nend\n")
    os.unlink(path)
print(f"several at once: {complete} of 40 records are complete")
