#!/usr/bin/env bash
# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What reading machine code costs, on one processor: megabytes of code a second,
# the time beside that of llvm-objdump -d, and the most memory beside the size of
# the code. Medians of interleaved runs. Exits 1 when a bound does not hold.
#   code-speed.sh [BINARY [RUNS]]
# Memory is counted as the kernel does: with the file's own pages, and with those
# of the libraries. What the same report takes without reading code is shown.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
llvm=/usr/lib/llvm-22
binary=$(readlink -f "${1:-$llvm/lib/libclang-cpp.so.22.1}")
runs=${2:-5}
linesman=$root/build/bin/linesman
ratio_bound=0.3 speed_bound=25 memory_bound=3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')

measure() { # measure NAME COMMAND...: user and system seconds, and kilobytes
  local name=$1
  shift
  taskset -c "$cpu" python3 - "$dir/$name" "$@" <<'PYTHON'
import os, subprocess, sys
subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, check=True)
import resource
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=open(sys.argv[1], "a"))
PYTHON
}
median() { sort -n -k"$2" "$dir/$1" | awk -v k="$2" '{ v[NR] = $k } END { print v[int((NR + 1) / 2)] }'; }

code=$("$llvm/bin/llvm-size" -A "$binary" | awk '$1 == ".text" { print $2 }')
for ((run = 0; run < runs; ++run)); do
  measure code "$linesman" layout --facts=code "$binary"
  measure compiler "$linesman" layout --facts=compiler "$binary"
  # A quarter hour of objdump would tell no more.
  ((run >= 2)) || measure objdump "$llvm/bin/llvm-objdump" -d "$binary"
done
awk -v code="$code" -v t="$(median code 1)" -v m="$(median code 2)" -v o="$(median objdump 1)" \
  -v m0="$(median compiler 2)" -v rb=$ratio_bound -v sb=$speed_bound -v mb=$memory_bound 'BEGIN {
    speed = code / 1e6 / t
    memory = m * 1024 / code
    printf "code: %.1f MB in %.2f s: %.0f MB a second (bound %d)\n", code / 1e6, t, speed, sb
    printf "llvm-objdump -d: %.2f s: %.4f of it (bound %.1f)\n", o, t / o, rb
    printf "memory: %.0f MB, %.2f of the code (bound %d); %.0f MB without reading code\n", m * 1024 / 1e6, memory, mb, m0 * 1024 / 1e6
    exit (speed < sb || t > rb * o || memory > mb)
  }'
