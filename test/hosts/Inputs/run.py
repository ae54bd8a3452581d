"""Runs each host plainly and under linesman run, and compares what it prints, on
both streams, and how it ends: run.py HOSTS_PROGRAM FOLDER [--only NAME]

A host is a mode of hosts.c, or a program that people run, with its client. One
that this machine does not have is named as skipped. Prints one line a host.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

hosts, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else None
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
linesman = shutil.which("linesman")
LIBRARIES = "/usr/lib/x86_64-linux-gnu"

# NAME: (command, program or None, what must be there)
plain_modes = subprocess.run([hosts], capture_output=True, text=True, check=True).stdout.split()
table = {name: ([hosts, name], None, []) for name in plain_modes}
table["born-with-few-files"] = (["sh", "-c", f"ulimit -n 5; exec {hosts} plain"], hosts, [])
table["child-of-a-script"] = (["sh", "-c", f"{hosts} plain; {hosts} exit & wait; {hosts} environment"], hosts, [])
table["protected-early"] = (["env", "PROTECT_EARLY=1", hosts, "protects-pages"], hosts, [])
table["jemalloc"] = (["env", f"LD_PRELOAD={LIBRARIES}/libjemalloc.so.2", hosts, "thread-storm"], None, [f"{LIBRARIES}/libjemalloc.so.2"])
table["tcmalloc"] = (["env", f"LD_PRELOAD={LIBRARIES}/libtcmalloc_minimal.so.4", hosts, "fork-storm"], None, [f"{LIBRARIES}/libtcmalloc_minimal.so.4"])

PYTHON = """
import concurrent.futures, multiprocessing, os, subprocess, threading
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(lambda x: x * x, range(1000))))
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(sum(pool.map(abs, range(-50, 50))))
    print(subprocess.run(["env"], capture_output=True, text=True).stdout)
    print(sorted(os.environ.items()), len(os.listdir("/proc/self/fd")), threading.active_count())
"""
JAVA = 'public class Host { public static void main(String[] a) throws Exception { Thread t = new Thread(() -> System.out.println("thread")); t.start(); t.join(); System.out.println(new java.util.TreeMap<>(System.getenv())); } }'
GO = 'package main\nimport "C"\nimport ("fmt"; "os"; "sync")\nfunc main() { var w sync.WaitGroup; for i := 0; i < 50; i++ { w.Add(1); go w.Done() }; w.Wait(); fmt.Println(len(os.Environ())) }\n'
for name, text in (("host.py", PYTHON), ("Host.java", JAVA), ("host.go", GO)):
    with open(name, "w") as file:
        file.write(text)

# A server: started, asked until it answers, stopped; its log is not compared,
# what its client sees is.
SERVER = """
import os, signal, subprocess, sys, time
server = subprocess.Popen(sys.argv[2].split(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False)
deadline = time.monotonic() + 40
while True:
    client = subprocess.run(sys.argv[3], shell=True, capture_output=True, text=True)
    if client.returncode == 0 or time.monotonic() > deadline:
        break
    time.sleep(0.02)
print(client.stdout, client.stderr)
server.send_signal(getattr(signal, sys.argv[1]))
print("server", server.wait())
"""
CLIENT = """
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.settimeout(20)
s.connect(sys.argv[1])
for line in sys.argv[2:]:
    s.sendall(line.encode().decode("unicode_escape").encode())
    print(s.recv(4096).decode().replace("\\r", ""), end="")
"""
NGINX = """
worker_processes 2; daemon off; pid nginx.pid; error_log stderr;
events { worker_connections 64; }
http { access_log off; server { listen unix:nginx.sock; location / { return 200 "hello\\n"; } } }
"""
for name, text in (("server.py", SERVER), ("client.py", CLIENT), ("nginx.conf", NGINX)):
    with open(name, "w") as file:
        file.write(text)
ask = f"{sys.executable} -S client.py"


def served(signal, server, client):
    return [sys.executable, "-S", "server.py", signal, server, client]


def add(name, tool, command, program=None):
    path = shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin")
    table[name] = (command, program or (path and os.path.realpath(path)), [path])


python = os.path.realpath(sys.executable)
table["python"] = ([python, "host.py"], python, [])
add("redis", "redis-server", served("SIGTERM", "redis-server --port 0 --unixsocket redis.sock --save  --dir . --dbfilename dump.rdb",
    f"{ask} redis.sock 'SET a 1\\r\\n' 'BGSAVE\\r\\n' 'GET a\\r\\n'"))
add("nginx", "nginx", served("SIGTERM", f"/usr/sbin/nginx -p {folder} -c nginx.conf", f"{ask} nginx.sock 'GET / HTTP/1.0\\r\\n\\r\\n' | tail -1"))
add("memcached", "memcached", served("SIGTERM", "memcached -u root -s memcached.sock -a 777 -t 4", f"{ask} memcached.sock 'set a 0 0 1\\r\\nx\\r\\n' 'get a\\r\\n'"))


def compile_host(name, words, tool):
    """A host that is built first; skipped where its compiler is missing or can
    not."""
    if not shutil.which(tool):
        table[name] = ([], None, [None])
        return
    done = subprocess.run(words, capture_output=True, text=True, env=dict(os.environ, GOFLAGS="-mod=mod", GO111MODULE="off"))
    table[name] = (["./" + words[words.index("-o") + 1]] if "-o" in words else ["java", "-Xshare:auto", "-Xint", "Host"], None, [done.returncode == 0 or None])


source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hosts.c")


def build_all():
    compile_host("java", ["javac", "Host.java"], "javac")
    compile_host("go", ["go", "build", "-o", "host-go", "host.go"], "go")
    for name, compiler, flags in (("asan", "clang-22", ["-fsanitize=address"]), ("tsan", "clang-22", ["-fsanitize=thread"]),
                                  ("asan-of-gcc", "gcc", ["-fsanitize=address"]), ("tsan-of-gcc", "gcc", ["-fsanitize=thread"])):
        compile_host(name, [compiler, "-O1", "-w", "-pthread", *flags, source, "-o", "host-" + name], compiler)
        table[name] = (table[name][0] + ["thread-storm"], None, table[name][2])
    if shutil.which("initdb") and shutil.which("postgres") and os.geteuid() == 0 and shutil.which("runuser"):
        base = os.path.join("/tmp", f"linesman-postgres-{os.getpid()}")
        as_nobody = ["runuser", "-u", "nobody", "--"]
        os.makedirs(base)
        shutil.chown(base, "nobody")
        done = subprocess.run([*as_nobody, "initdb", "-N", "-D", f"{base}/data", "--no-locale", "-E", "UTF8"], capture_output=True, cwd=base)
        script = (f"cd {base}; postgres -D data -h '' -k {base} >/dev/null 2>&1 & p=$!; n=0; "
                  f"until psql -h {base} -d postgres -U nobody -Atc 'select sum(i) from generate_series(1,1000) i' 2>/dev/null; do n=$((n+1)); [ $n -lt 400 ] || break; sleep 0.05; done; "
                  f"kill -INT $p; wait $p; echo $?")
        table["postgresql"] = ([*as_nobody, "bash", "-c", script], os.path.realpath(shutil.which("postgres")), [done.returncode == 0 or None])
        return base
    table["postgresql"] = ([], None, [None])
    return None


def run(command):
    """Output, errors and exit code, the numbers of processes aside."""
    try:
        done = subprocess.run(command, input="a\nb\n", capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return ("", "", "did not end")
    code = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return (done.stdout, re.sub(r"==\d+==", "", done.stderr), code)


def compare(name):
    """One line, and whether the host noticed; None for a host that is not here."""
    command, program, needs = table[name]
    if any(n is None or (isinstance(n, str) and not os.path.exists(n)) for n in needs):
        return f"{name}: skipped, not on this machine", None
    guest = [linesman, "run", "--prepare", "--hold", "--place", "all=0"]
    under = command
    # A preloaded allocator is linesman's to keep, not a program on the way.
    if name in ("jemalloc", "tcmalloc"):
        guest, under = [*command[:2], *guest], command[2:]
    elif program and command[0] != program:
        guest += ["--program", program]
    a, b = run(command), run([*guest, "--", *under])
    if a == b:
        return f"{name}: the same (exit {a[2]})", False
    return f"{name}: DIFFERS\n  plain {a}\n  guest {b}", True


base = build_all()
try:
    names = [name for name in table if only in (None, name)]
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        results = list(pool.map(compare, names))
finally:
    if base:
        shutil.rmtree(base, ignore_errors=True)
print("\n".join(line for line, _ in results))
noticed = [state for _, state in results if state is not None]
print(f"{noticed.count(False)} hosts do not notice, {noticed.count(True)} do")
sys.exit(True in noticed)
