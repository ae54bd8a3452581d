#!/usr/bin/env bash
# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the pass costs a large C++ compile (-O2 -g), as ratios in one run: median
# user time of interleaved compiles, and object size. Exits 1 above the bounds.
#   facts-cost.sh [PLUGIN [CLANG [RUNS]]]
# The unit: the LLVM headers with the pass's own code and, for facts, globals.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
plugin=${1:-$root/build/lib/linesman-facts.so}
clang=${2:-/usr/lib/llvm-22/bin/clang++}
runs=${3:-7}
time_bound=1.02 size_bound=1.03
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

{
  for source in CollectAccesses KnownCalls FindInitializers; do
    echo "#include \"$root/lib/FactsPass/$source.cpp\""
  done
  # A class twenty times, each with counters, a lock and a table of its own.
  cat <<'SOURCE'
#include <atomic>
#include <mutex>
template <int N> struct Subsystem {
  static inline long hits, misses, table[64];
  static inline std::atomic<long> total;
  static inline std::mutex lock;
  static long run(int I) {
    std::lock_guard<std::mutex> Guard(lock);
    ++(I & 1 ? hits : misses);
    total += table[I & 63]++;
    return hits;
  }
};
template <int N> long runAll(int I) {
  long Sum = Subsystem<N>::run(I);
  if constexpr (N > 0)
    Sum += runAll<N - 1>(I);
  return Sum;
}
long use(int I) { return runAll<20>(I); }
SOURCE
} >"$dir/unit.cpp"
"$clang" -std=c++20 -fno-rtti -I"$root/include" -isystem "$(dirname "$clang")/../include" -E -P "$dir/unit.cpp" -o "$dir/unit.ii"
lines=$(wc -l <"$dir/unit.ii")

compile() { # compile OUTPUT FLAGS...: prints the user time in milliseconds
  local output=$1
  shift
  local TIMEFORMAT=%3U
  { time "$clang" -std=c++20 -fno-rtti -O2 -g -w -c "$dir/unit.ii" -o "$output" "$@"; } 2>&1 | tr -d .
}
median() { sort -n "$1" | sed -n "$(((runs + 1) / 2))p"; }
quartiles() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)], v[int((NR + 3) / 4)], v[int((3 * NR + 3) / 4)] }'; }

compile "$dir/warm.o" >/dev/null
for ((run = 0; run < runs; ++run)); do
  compile "$dir/without.o" >>"$dir/without"
  compile "$dir/with.o" -fpass-plugin="$plugin" >>"$dir/with"
done
read -r middle low high < <(paste "$dir/with" "$dir/without" | awk '{ print $1 / $2 }' | quartiles)
python3 "$root/test/bench/measure.py" facts-cost "a C++ unit of $lines lines" "compiled with the pass $(median "$dir/with") ms" \
  "without $(median "$dir/without") ms" "$middle" "$low" "$high" "$time_bound" >/dev/null || true
size=$(awk -v a="$(stat -c %s "$dir/with.o")" -v b="$(stat -c %s "$dir/without.o")" 'BEGIN { print a / b }')
python3 "$root/test/bench/measure.py" facts-cost "a C++ unit of $lines lines" "object with facts $(stat -c %s "$dir/with.o") bytes" \
  "without $(stat -c %s "$dir/without.o")" "$size" "$size" "$size" "$size_bound" >/dev/null || true
awk -v lines="$lines" -v facts="$("$(dirname "$clang")/llvm-readelf" -SW "$dir/with.o" | grep -c ' \.debug_linesman ')" \
  -v t0="$(median "$dir/without")" -v t1="$(median "$dir/with")" -v tb="$time_bound" \
  -v s0="$(stat -c %s "$dir/without.o")" -v s1="$(stat -c %s "$dir/with.o")" -v sb="$size_bound" 'BEGIN {
    printf "unit: %d preprocessed lines, %d contributions\n", lines, facts
    printf "user time: %d ms without, %d ms with: %.4f (bound %.2f)\n", t0, t1, t1 / t0, tb
    printf "object size: %d bytes without, %d with: %.4f (bound %.2f)\n", s0, s1, s1 / s0, sb
    exit (facts == 0 || t1 > t0 * tb || s1 > s0 * sb)
  }'
