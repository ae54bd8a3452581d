#!/usr/bin/env bash
# Checks per second per thread of the three builds, with one thread and with
# two, interleaved, and the ratios in this run: bench.sh FOLDER [ROUNDS]
# The class as it is is placed twice: at a word where the list and the cache are
# on one line, and at the one of eight where they are not. Medians of the
# rounds; seconds are processor time of the threads.
set -euo pipefail
folder=$1
rounds=${2:-5}
checks=${CHECKS:-100000000}
# Name, build, word.
cases=("as-is,bad-luck checks 0" "as-is,good-luck checks 6" "padded checks-padded 0" "unwritten checks-unwritten 0")

results=$(mktemp)
trap 'rm -f "$results"' EXIT
for ((round = 0; round < rounds; ++round)); do
  for case in "${cases[@]}"; do
    read -r name build word <<<"$case"
    for threads in 1 2; do
      echo "$name $threads $("$folder/$build" $threads "$checks" "$word")" >>"$results"
    done
  done
done
median() {
  awk -v s="$1" -v t="$2" '$1 == s && $2 == t {print $3}' "$results" | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'
}

base=$(median "as-is,bad-luck" 2)
printf '%-18s %14s %14s %26s\n' '' '1 thread' '2 threads' '2 threads, to bad luck'
for case in "${cases[@]}"; do
  read -r name _ <<<"$case"
  one=$(median "$name" 1)
  two=$(median "$name" 2)
  awk -v s="${name/,/, }" -v one="$one" -v two="$two" -v base="$base" \
    'BEGIN {printf "%-18s %11.1f M/s %11.1f M/s %26.2f\n", s, one / 1e6, two / 1e6, two / base}'
done
[ "$(nproc)" -ge 2 ] || echo "note: one processor: two threads never run at the same time here"
