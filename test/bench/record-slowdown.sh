#!/usr/bin/env bash
# What the record runtime costs a memory-bound two-thread program: the same
# source, plain and instrumented, in alternating windows of one run each. The
# ratio of their rates (operations per second of the target's own processor
# time) must be at most 6.
#   bash test/bench/record-slowdown.sh [WINDOWS [SECONDS]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang=/usr/lib/llvm-22/bin/clang++
lib=$PWD/build/lib
$clang -O2 -g -pthread test/bench/busy.cpp -o "$work/plain"
$clang -O2 -g -pthread -fsanitize=thread -c test/bench/busy.cpp -o "$work/busy.o"
$clang -pthread "$work/busy.o" -o "$work/recorded" "-L$lib" -llinesman-record "-Wl,-rpath,$lib"
# 64 MiB: far more than the caches.
PYTHONPATH=test/bench python3 - "$work" "${1:-10}" "${2:-1}" 65536 <<'EOF'
import os, statistics, subprocess, sys, time
from measure import Ratio, row, spread

work, windows, seconds, kilobytes = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
environment = dict(os.environ, LINESMAN_RECORD_FILE=f"{work}/record")

def start(name):
    target = subprocess.Popen([f"{work}/{name}", "2", kilobytes], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True, env=environment)
    target.stdout.readline()
    return target

def operations(target):
    target.stdin.write("\n")
    target.stdin.flush()
    return int(target.stdout.readline())

def processor_time(target):
    task = f"/proc/{target.pid}/task"
    return sum(int(open(f"{task}/{thread}/schedstat").read().split()[0]) for thread in os.listdir(task)) / 1e9

def rate(name):
    target = start(name)
    began, before = processor_time(target), operations(target)
    time.sleep(seconds)
    result = (operations(target) - before) / (processor_time(target) - began)
    target.stdin.close()
    target.wait()
    return result

rates = {"plain": [], "recorded": []}
for window in range(windows):
    for name in sorted(rates, reverse=window % 2):
        rates[name].append(rate(name))
ratio = statistics.median(rates["plain"]) / statistics.median(rates["recorded"])
print(f"record costs {ratio:.2f} times (medians of {windows} windows)")
pairs = spread([plain / slow for plain, slow in zip(rates["plain"], rates["recorded"])])
within = row("record-slowdown", f"a memory-bound program of two threads, {windows} windows", "instrumented", "plain", Ratio(ratio, pairs.low, pairs.high), 6)
sys.exit(not within)
EOF
