#!/usr/bin/env bash
# How much `linesman watch` slows a busy two-thread program under the default
# budget: windows with and without watching alternate in one run. The target's
# rate is operations per second of its own processor time (traps are in it), so
# that other work on the machine does not count; the processor time of linesman
# is taken off a machine with two processors that the target would use fully.
# The ratio must be at most 1.05.
# Through ptrace, stopped threads use no processor time: then the rate is that
# of the clock, and the machine must have nothing else to do.
#   bash test/bench/watch-slowdown.sh [WINDOWS [SECONDS [WATCH OPTION...]]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
/usr/lib/llvm-22/bin/clang++ -O2 -g -pthread test/bench/busy.cpp -o "$work/busy"
PYTHONPATH=test/bench python3 - "$work/busy" "${1:-15}" "${2:-2}" "${@:3}" <<'EOF'
import os, resource, statistics, subprocess, sys, time
from measure import Ratio, row, spread

busy, windows, seconds, options = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
by_clock = "--instrument=ptrace" in options
target = subprocess.Popen([busy, "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
target.stdout.readline()

def operations():
    target.stdin.write("\n")
    target.stdin.flush()
    return int(target.stdout.readline())

def target_time():
    if by_clock:
        return time.monotonic()
    task = f"/proc/{target.pid}/task"
    return sum(int(open(f"{task}/{thread}/schedstat").read().split()[0]) for thread in os.listdir(task)) / 1e9

def rate(during):
    start, before = target_time(), operations()
    during()
    return (operations() - before) / (target_time() - start)

def run_watch():
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(watch, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

watch = ["build/bin/linesman", "watch", "--pid", str(target.pid), "--symbol", "Settings", f"--duration={seconds}", *options]
alone, watched, used = [], [], []
for window in range(windows):
    pair = [
        lambda: alone.append(rate(lambda: time.sleep(seconds))),
        lambda: watched.append(rate(run_watch)),
    ]
    for measure in pair if window % 2 else reversed(pair):
        measure()
target.stdin.close()
target.wait()
traps = statistics.median(alone) / statistics.median(watched)
# The clock has counted it already.
share = 0 if by_clock else statistics.median(used) / (2 * seconds)
ratio = traps / (1 - share)
print(f"slow-down {ratio:.3f}: traps {traps:.3f}, linesman itself {share:.1%} of two processors (medians of {windows} windows)")
pairs = spread([plain / slow / (1 - share) for plain, slow in zip(alone, watched)])
within = row("watch-slowdown", f"a busy program of two threads, {windows} windows", "with watch", "without", Ratio(ratio, pairs.low, pairs.high), 1.05)
sys.exit(not within)
EOF
