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
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
exec taskset -c "$cpu" python3 "$root/test/bench/code_speed.py" "$root/build/bin/linesman" "$llvm/bin" "$binary" "${2:-5}"
