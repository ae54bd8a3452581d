"""Runs linesman layout on a terminal of its own. Usage: terminal.py BINARY"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

binary = sys.argv[1]
clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM", "COLUMNS")}


def run(*options, tty, columns=0, **environment):
    """What stdout and stderr showed."""
    words = ["linesman", "layout", *options]
    environment = {**clean, "TERM": "xterm-256color", **environment}
    if not tty:
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    done = subprocess.Popen(words, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # nobody has the other end
            break
        if not part:
            break
        seen += part
    assert done.wait() == 0, seen
    os.close(ours)
    return seen.decode().replace("\r\n", "\n")


def strip(text):
    return re.sub("\033\\[[0-9]*m", "", text)


def say(name, text):
    if "\033" not in text:
        assert text == plain, text
        print(f"{name}: plain")
    else:
        assert strip(text) == plain, (strip(text), plain)
        assert "\033[31mwwww" in text and "\033[32mrrrr" in text and "\033[1m1. hits" in text, text
        print(f"{name}: colour, the same text")


plain = run(binary, tty=False)
say("a terminal", run(binary, tty=True))
say("a pipe", plain)
say("NO_COLOR", run(binary, tty=True, NO_COLOR="1"))
say("TERM=dumb", run(binary, tty=True, TERM="dumb"))
say("--color=always in a pipe", run("--color=always", binary, tty=False))
say("--color=never on a terminal", run("--color=never", binary, tty=True))


def widest(text):
    """Below the first line, which has the file's name."""
    return max(len(line) for line in strip(text).splitlines()[1:])


for columns in (86, 100, 140):
    text = run(binary, tty=True, columns=columns)
    assert strip(text).split() == plain.split(), (strip(text), plain)
    print(f"{columns} columns: at most {widest(text)}")
print(f"40 columns, which are too few: at most {widest(run(binary, tty=True, columns=40))}")
