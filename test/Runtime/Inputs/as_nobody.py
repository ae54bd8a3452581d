"""Tries, as another user, to use the socket of process PID; then again with the
file modes opened by hand, so that only the question for the peer's user is
left: as_nobody.py PID"""

import os
import pwd
import socket
import stat
import sys

path = f"/tmp/linesman-{os.getuid()}/{sys.argv[1]}"
folder = os.path.dirname(path)
modes = [stat.S_IMODE(os.stat(name).st_mode) for name in (folder, path)]
print(f"mode of the folder {oct(modes[0])}, of the socket {oct(modes[1])}")


def connect():
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.settimeout(60)
    try:
        s.connect(path)
    except PermissionError as error:
        return error.strerror
    try:
        return "dropped" if not s.recv(100) else "answered"
    except ConnectionResetError:
        return "dropped"


nobody = pwd.getpwnam("nobody").pw_uid
os.seteuid(nobody)
print("connect:", connect())
os.seteuid(0)
os.chmod(folder, 0o755)
os.chmod(path, 0o666)
os.seteuid(nobody)
print("connect without the folder's protection:", connect())
os.seteuid(0)
os.chmod(folder, modes[0])
os.chmod(path, modes[1])
