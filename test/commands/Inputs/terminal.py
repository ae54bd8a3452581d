"""Runs linesman layout on a terminal of its own. Usage: terminal.py BINARY"""

import os
import pty
import re
import subprocess
import sys

binary = sys.argv[1]
clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}


def run(*options, tty, **environment):
    """What stdout and stderr showed."""
    words = ["linesman", "layout", *options]
    environment = {**clean, "TERM": "xterm-256color", **environment}
    if not tty:
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout
    ours, theirs = pty.openpty()
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
