#!/usr/bin/env bash
# Whether a plan makes memcached faster: the plain and the edited server of
# memcached-plan.sh under the same load, in turns.
#   test/bench/memcached-speed.sh PLAIN EDITED [ROUNDS]
# Prints medians and quartiles of requests a second, and of the requests for a
# second of the server's CPU time, which other programs on the machine disturb
# less; and how busy the machine was.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${CC:-cc}" -O2 -pthread "$here/memcached-load.c" -o "$folder/load"
python3 - "$1" "$2" "${3:-15}" "$folder/load" <<'PY'
import os, statistics, subprocess, sys, time

plain, edited, rounds, load = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
ticks = os.sysconf("SC_CLK_TCK")
servers = {}
for port, (name, program) in enumerate((("plain", plain), ("edited", edited)), 23900):
    servers[name] = (port, subprocess.Popen([program, "-u", "nobody", "-p", str(port), "-U", "0", "-t", "2", "-m", "1024", "-l", "127.0.0.1"]))
time.sleep(1)


def cpu(pid):
    words = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / ticks


rates = {name: ([], []) for name in servers}
for turn in range(rounds + 1):
    for name in sorted(servers, reverse=turn % 2):
        port, server = servers[name]
        before = cpu(server.pid)
        rate = float(subprocess.run([load, str(port), "2", "2"], check=True, capture_output=True, text=True).stdout)
        if turn:  # the first fills the cache
            rates[name][0].append(rate)
            rates[name][1].append(2 * rate / (cpu(server.pid) - before))
for what, which in (("requests a second", 0), ("requests for a second of CPU time", 1)):
    for name in servers:
        low, middle, high = statistics.quantiles(rates[name][which], n=4)
        print(f"{name}: {middle:,.0f} {what} (quartiles {low:,.0f} to {high:,.0f}, {rounds} rounds)")
    pairs = [e / p for p, e in zip(rates["plain"][which], rates["edited"][which])]
    low, middle, high = statistics.quantiles(pairs, n=4)
    print(f"edited to plain: {middle:.3f} (quartiles {low:.3f} to {high:.3f})")
print("load average:", os.getloadavg()[0], "cores:", os.cpu_count())
for _, server in servers.values():
    server.terminate()
PY
