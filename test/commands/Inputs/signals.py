"""Sends signals to linesman: signals.py, or, to linesman dirty: signals.py PID"""

import array
import fcntl
import glob
import os
import resource
import signal
import subprocess
import sys
import termios
import time

problems = []


NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")


def say_ignored():
    print(*(name for name in NAMES if signal.getsignal(getattr(signal, name)) == signal.SIG_IGN))


def ignore(*names):
    for name in NAMES:
        signal.signal(getattr(signal, name), signal.SIG_IGN if name in names else signal.SIG_DFL)


def unread(pipe):
    size = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, size)
    return size[0]


def has_pidfd(process):
    for file in glob.glob(f"/proc/{process.pid}/fd/*"):
        try:
            if "pidfd" in os.readlink(file):
                return True
        except FileNotFoundError:
            pass  # closed since
    return False


def end_by(process, number):
    process.send_signal(number)
    return process.communicate()


if sys.argv[1:] == ["say"]:
    say_ignored()
elif len(sys.argv) == 1:
    for names in ((), ("SIGHUP",), ("SIGINT", "SIGQUIT")):
        call = ["linesman", "run", "--", sys.executable, __file__, "say"]
        said = subprocess.run(call, stdout=subprocess.PIPE, text=True, preexec_fn=lambda: ignore(*names)).stdout
        if said != " ".join(names) + "\n":
            problems.append(f"with {names} ignored, the program ignores {said!r}")
    quits = subprocess.Popen(
        ["linesman", "findings", "--from-tidy=-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: (ignore(), resource.setrlimit(resource.RLIMIT_CORE, (0, 0))),
    )
    quits.stdin.write(b"text")
    quits.stdin.flush()
    while unread(quits.stdin):
        time.sleep(0.01)
    _, err = end_by(quits, signal.SIGQUIT)
    if quits.returncode != -signal.SIGQUIT or err:
        problems.append(f"SIGQUIT: {quits.returncode}, {err!r}")
else:
    for name in ("SIGTERM", "SIGINT"):
        dirty = subprocess.Popen(
            ["linesman", "dirty", sys.argv[1], "--duration=1000"], stdout=subprocess.PIPE, text=True, preexec_fn=ignore
        )
        # It watches when it has the process as a file.
        while not has_pidfd(dirty):
            time.sleep(0.01)
        print(f"{name}: {end_by(dirty, getattr(signal, name))[0]}")
        if dirty.returncode:
            problems.append(f"dirty: {dirty.returncode}")

print("\n".join(problems), end="")
sys.exit(bool(problems))
