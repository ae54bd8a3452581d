"""Runs linesman layout on a terminal of its own. Usage: terminal.py BINARY"""

import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

binary = sys.argv[1]
clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}


def run(*options, tty, feed=None, **environment):
    """What stdout and stderr showed; feed(seen) may act on it."""
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
        if feed:
            feed(seen)
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

# A file that comes when linesman has said that it waits.
with tempfile.TemporaryDirectory() as folder:
    slow = os.path.join(folder, "slow")
    os.mkfifo(slow)
    fed = False

    def feed(seen):
        global fed
        if not fed and b"reading " in seen:
            fed = True
            pathlib.Path(slow).write_bytes(pathlib.Path(binary).read_bytes())

    seen = run("--color=never", slow, tty=True, feed=feed)
    assert fed and re.search(r"linesman: reading \S*slow, \d+ s", seen), seen
    assert seen.split("\r\033[K")[-1] == plain.replace(binary, slow), seen
    print("a slow file: told, and taken back")
