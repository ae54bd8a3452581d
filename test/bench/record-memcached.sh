#!/usr/bin/env bash
# What the record runtime costs memcached under load: the server's processor
# time for an operation, instrumented against plain, in alternating rounds. At
# most 3. Exit 77 when the source cannot be fetched.
#   bash test/bench/record-memcached.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=build/bench/memcached
mkdir -p "$work"
source=$(bash test/fetch-source.sh memcached "$work")
lib=$PWD/build/lib
export CC=/usr/lib/llvm-22/bin/clang
build() {
  local name=$1
  [ ! -x "$work/$name/memcached" ] || return 0
  rm -rf "${work:?}/$name"
  cp -r "$source" "$work/$name"
  # The released files are newer than their sources; make must not regenerate.
  (cd "$work/$name" && touch aclocal.m4 && find . -name Makefile.in -exec touch {} + && touch configure config.h.in &&
    ./configure && make -j2 memcached) >"$work/$name.log" 2>&1
}
CFLAGS="-g -O2 -Wno-error" build plain
CFLAGS="-g -O2 -Wno-error -fsanitize=thread" \
  LDFLAGS="-fno-sanitize-link-runtime -L$lib -llinesman-record -Wl,-rpath,$lib" build recorded
python3 - "$work" "${1:-5}" <<'EOF'
import os, re, socket, statistics, subprocess, sys, tempfile, threading, time

work, rounds = sys.argv[1], int(sys.argv[2])
CONNECTIONS, BATCHES, BATCH = 4, 60, 200
folder = tempfile.mkdtemp()

def load(path, index):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        stream = connection.makefile("rb")
        for batch in range(BATCHES):
            keys = [f"key{(batch * BATCH + i * 7 + index) % 5000}" for i in range(BATCH)]
            sets = b"".join(b"set %s 0 0 64\r\n%s\r\n" % (key.encode(), b"x" * 64) for key in keys[:20])
            gets = b"".join(b"get %s\r\n" % key.encode() for key in keys)
            connection.sendall(sets + gets)
            left = 20 + BATCH
            while left:
                line = stream.readline()
                left -= line in (b"STORED\r\n", b"END\r\n")

def cost(name):
    path = f"{folder}/{name}"
    environment = dict(os.environ, LINESMAN_RECORD_FILE=f"{folder}/record")
    user = ["-u", "root"] if os.getuid() == 0 else []
    server = subprocess.Popen([f"{work}/{name}/memcached", "-s", path, "-t", "2", *user], env=environment)
    while not os.path.exists(path):
        time.sleep(0.01)
    task = f"/proc/{server.pid}/task"
    used = lambda: sum(int(open(f"{task}/{t}/schedstat").read().split()[0]) for t in os.listdir(task)) / 1e9
    clients = lambda: [threading.Thread(target=load, args=(path, i)) for i in range(CONNECTIONS)]
    def run():
        for client in (threads := clients()):
            client.start()
        for client in threads:
            client.join()
    run()
    before = used()
    run()
    result = (used() - before) / (CONNECTIONS * BATCHES * (BATCH + 20))
    server.terminate()
    server.wait()
    os.unlink(path)
    return result

costs = {"plain": [], "recorded": []}
for index in range(rounds):
    for name in sorted(costs, reverse=index % 2):
        costs[name].append(cost(name))
ratio = statistics.median(costs["recorded"]) / statistics.median(costs["plain"])
print(f"record costs memcached {ratio:.2f} times (medians of {rounds} rounds)")
sys.exit(ratio > 3)
EOF
