"""Starts a memcached, sets and gets over several connections, so that several of
its threads work, and stops it. Usage: use_memcached.py MEMCACHED"""

import getpass
import os
import select
import socket
import subprocess
import sys
import tempfile

KEYS, CONNECTIONS = 1000, 4
START_SECONDS = 30


def connect(path, server):
    """A connection, as soon as the server listens."""
    for _ in range(START_SECONDS * 100):
        if server.poll() is not None:
            sys.exit(f"memcached ended with {server.returncode}")
        client = socket.socket(socket.AF_UNIX)
        try:
            client.connect(path)
            return client
        except OSError:
            client.close()
            select.select([], [], [], 0.01)
    sys.exit(f"memcached does not listen after {START_SECONDS} seconds")


def ask(stream, request, last):
    """The answer to a request, up to the line that ends it."""
    stream.write(request)
    stream.flush()
    lines = []
    while not lines or lines[-1] != last:
        line = stream.readline()
        if not line:
            sys.exit(f"after {lines}: the connection was closed")
        lines.append(line.rstrip(b"\r\n"))
    return lines


# A socket's path is short: the test's own folder may be too deep.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "socket")
    server = subprocess.Popen([sys.argv[1], "-s", path, "-t", str(CONNECTIONS), "-u", getpass.getuser()])
    try:
        streams = [connect(path, server).makefile("rwb") for _ in range(CONNECTIONS)]
        for key in range(KEYS):
            value = b"value %d" % key
            ask(streams[key % CONNECTIONS], b"set key%d 0 0 %d\r\n%s\r\n" % (key, len(value), value), b"STORED")
        for key in range(KEYS):
            value = b"value %d" % key
            answer = ask(streams[(key + 1) % CONNECTIONS], b"get key%d\r\n" % key, b"END")
            assert answer == [b"VALUE key%d 0 %d" % (key, len(value)), value, b"END"], answer
        statistics = ask(streams[0], b"stats\r\n", b"END")
        assert b"STAT get_hits %d" % KEYS in statistics, statistics
    finally:
        server.terminate()
        server.wait()
print(f"{KEYS} keys set and got over {CONNECTIONS} connections")
