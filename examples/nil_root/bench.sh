#!/usr/bin/env bash
# Queries per second per thread of the three stores, with one thread and with
# two, interleaved, and the ratios in this run: bench.sh FOLDER [ROUNDS]
# Medians of the rounds; seconds are processor time of the threads.
set -euo pipefail
folder=$1
rounds=${2:-5}
queries=4000000
stores=(store store-isolated store-guarded)

results=$(mktemp)
trap 'rm -f "$results"' EXIT
for ((round = 0; round < rounds; ++round)); do
  for store in "${stores[@]}"; do
    for threads in 1 2; do
      echo "$store $threads $("$folder/$store" $threads $queries)" >>"$results"
    done
  done
done
median() {
  awk -v s="$1" -v t="$2" '$1 == s && $2 == t {print $3}' "$results" | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'
}

base=$(median store 2)
printf '%-16s %14s %14s %22s\n' '' '1 thread' '2 threads' '2 threads, to as-is'
for store in "${stores[@]}"; do
  one=$(median "$store" 1)
  two=$(median "$store" 2)
  awk -v s="$store" -v one="$one" -v two="$two" -v base="$base" \
    'BEGIN {printf "%-16s %11.1f M/s %11.1f M/s %22.2f\n", s, one / 1e6, two / 1e6, two / base}'
done
[ "$(nproc)" -ge 2 ] || echo "note: one processor: two threads never run at the same time here"
