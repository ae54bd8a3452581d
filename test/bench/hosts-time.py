"""What linesman run costs its hosts in processor time (user and system, with all
children), plain and guest in turn: hosts-time.py BUILD [ROUNDS] [SECONDS] [HOST]

Hosts that run long enough for a ratio: two threads on static data, threads with
forks and dlopen and signals, Python, and redis, nginx, memcached under a client
(the servers' time is compared, not the client's). linesman's own time, which is
spent before main, is measured beside them with a host that does nothing, and
taken away. The ratio is that of the medians, the interval a bootstrap of rounds
(95 %). With HOST, the beginning of a name, only that one.
"""

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

build = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
limit = float(sys.argv[3]) if len(sys.argv) > 3 else 1e9
test = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
linesman = os.path.join(build, "bin", "linesman")
os.chdir(tempfile.mkdtemp(prefix="hosts-time-"))


def build_host(name, source):
    subprocess.run(["clang-22", "-O1", "-w", "-pthread", os.path.join(test, source), "-o", name], check=True)
    return os.path.abspath(name)


work, stress = build_host("work", "bench/work.c"), build_host("stress", "Runtime/Inputs/stress.c")
subprocess.run("echo 'char added_page[8192] = {1};' | clang-22 -shared -fPIC -x c - -o added.so", shell=True, check=True)
PYTHON = "import json\nd = {str(i): [i] * 5 for i in range(3000)}\nfor _ in range(40):\n    assert json.loads(json.dumps(d)) == d\n"
python = os.path.realpath(sys.executable)
hosts = {
    "nothing": ([work, "0"], None),
    "two threads": ([work, "240000000"], None),
    "threads, forks, dlopen, signals": ([stress, os.path.abspath("added.so"), "60"], None),
    "python": ([python, "-S", "-c", PYTHON], None),
}
if shutil.which("redis-server") and shutil.which("redis-benchmark"):
    hosts["redis"] = ([shutil.which("redis-server"), "--port", "0", "--unixsocket", "redis.sock", "--save", "", "--logfile", "/dev/null"],
                      ("redis.sock", "redis-benchmark -s redis.sock -n 40000 -c 20 -t set,get -q >/dev/null"))
if shutil.which("memcached"):
    CLIENT = ("import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('memcached.sock')\nf = s.makefile('rb')\n"
              "for i in range(2000):\n    s.sendall(b''.join(b'set k%d 0 0 4 noreply\\r\\nabcd\\r\\n' % j for j in range(200)) + b'get k1\\r\\n')\n"
              "    while f.readline() != b'END\\r\\n':\n        pass\n")
    with open("client.py", "w") as file:
        file.write(CLIENT)
    hosts["memcached"] = ([shutil.which("memcached"), "-u", "root", "-s", "memcached.sock", "-t", "2"], ("memcached.sock", f"{python} -S client.py"))


if len(sys.argv) > 4:
    hosts = {name: each for name, each in hosts.items() if name == "nothing" or name.startswith(sys.argv[4])}


def run(name, guest):
    """Processor seconds of the host and of all that it has waited for."""
    command, served = hosts[name]
    if guest:
        command = [linesman, "run", "--prepare", "--hold", "--place", "all=0", "--", *command]
    if served and os.path.exists(served[0]):
        os.unlink(served[0])
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if served:
        while not os.path.exists(served[0]):
            time.sleep(0.01)
        time.sleep(0.1)
        subprocess.run(served[1], shell=True, check=True)
        process.terminate()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return usage.ru_utime + usage.ru_stime


samples = {name: [] for name in hosts}
end = time.monotonic() + limit
for number in range(rounds):
    for name in hosts:
        a = run(name, number % 2 == 1)
        b = run(name, number % 2 == 0)
        samples[name].append((a, b) if number % 2 == 0 else (b, a))
    if time.monotonic() > end:
        break
own = statistics.median(g - p for p, g in samples["nothing"])
print(f"{len(samples['nothing'])} rounds; linesman itself, before main and at the end: {own * 1000:.1f} ms")
random.seed(1)
for name, pairs in samples.items():
    if name == "nothing":
        continue

    def ratio(of):
        return (statistics.median(g for _, g in of) - own) / statistics.median(p for p, _ in of)

    boots = sorted(ratio(random.choices(pairs, k=len(pairs))) for _ in range(2000))
    print(f"{name}: {statistics.median(p for p, _ in pairs):.3f} s plain, ratio {ratio(pairs):.4f} ({boots[50]:.4f} to {boots[1949]:.4f})", flush=True)
