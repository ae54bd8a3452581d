"""The driver's side of the shim's protocol, by hand."""

import os
import socket
import struct
import subprocess

MAGIC, VERSION = 0x4D48534C, 2
MODULE, QUERY, PLACE, PREPARE, WATCHER, START = range(2, 8)
REQUEST, REPLY, MODULE_HEAD = "=IHHIIQQiI", "=IHHIHHiI", "=QII16Q"


class Shim:
    """A program that stands before main."""

    def __init__(self, shim, command):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.settimeout(60)
        cookie = struct.unpack("Q", theirs.getsockopt(socket.SOL_SOCKET, 57, 8))[0]
        file = os.stat(command[0])
        variables = {
            "LD_PRELOAD": shim,
            "LINESMAN_CONTROL": f"{theirs.fileno()}:{cookie}:{len(shim)}",
            "LINESMAN_PROGRAM": f"{file.st_dev}:{file.st_ino}",
        }
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            pass_fds=[theirs.fileno()], env=dict(os.environ, **variables),
        )  # fmt: skip
        theirs.close()
        hello, files, _, _ = socket.recv_fds(ours, 32768, 1)
        self.count = struct.unpack("=iIII", hello[24:40])[2]
        self.socket = socket.socket(fileno=files[0])
        self.socket.settimeout(60)

    def send(self, message):
        """The status of the reply, and its entries."""
        self.socket.send(message)
        reply = self.socket.recv(32768)
        return struct.unpack(REPLY, reply[:24])[4], reply[24:]

    def ask(self, kind, begin=0, end=0, node=0, flags=0):
        return self.send(struct.pack(REQUEST, MAGIC, VERSION, kind, 1, flags, begin, end, node, 0))

    def modules(self):
        """Path, bias and ranges of each."""
        result = []
        for index in range(self.count):
            _, entry = self.ask(MODULE, index)
            bias, ranges, size, *bounds = struct.unpack(MODULE_HEAD, entry[:144])
            path = entry[144 : 144 + size].decode()
            result.append((path, bias, list(zip(bounds[::2], bounds[1::2]))[:ranges]))
        return result
