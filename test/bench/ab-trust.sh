#!/usr/bin/env bash
# Whether ab can be believed: ab-trust.sh BUILD [RUNS]
#   same       two identical commands, RUNS times beside four busy loops: how often is a difference claimed?
#   5 %        one does a twentieth more work: how long until it is found, and what is the interval?
# Each with processor time (task-clock), and with the seconds that pass (time).
set -euo pipefail
linesman=$(cd "$1" && pwd)/bin/linesman
runs=${2:-20}
work=$(mktemp -d)
loops=()
trap 'kill "${loops[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT

cat >"$work/spin.c" <<'END'
#include <stdlib.h>
int main(int argc, char **argv) {
  volatile unsigned long sum = 0;
  for (long i = 0, n = argc > 1 ? atol(argv[1]) : 0; i < n; ++i)
    sum += i * i;
}
END
cc -O2 "$work/spin.c" -o "$work/spin"

verdict() { # METRIC A B: verdict, ratio, seconds
  local begin=$SECONDS
  "$linesman" ab --metric="$1" --time-limit=120 --format=json -o "$work/r.json" "$work/spin $2" "$work/spin $3"
  python3 -c "
import json; r = json.load(open('$work/r.json')); q = r.get('ratio', {})
print(r['verdict'], *('%.3f' % q.get(k, 0) for k in ('median', 'low', 'high')), r['rounds'], r['disturbed_rounds'], $SECONDS - $begin)"
}

echo "# verdict, ratio, low, high, rounds, left out, seconds"
for metric in task-clock time; do
  echo "== 5 % more work, $metric"
  verdict $metric 30000000 31500000
done
for _ in 1 2 3 4; do
  (while :; do :; done) &
  loops+=($!)
done
for metric in task-clock time; do
  echo "== the same, beside four busy loops, $metric"
  for ((run = 0; run < runs; ++run)); do
    "$linesman" ab --metric=$metric --time-limit=15 --disturbed=last-resort --format=json -o "$work/r.json" \
      "$work/spin 5000000" "$work/spin 5000000"
    python3 -c "import json; print(json.load(open('$work/r.json'))['verdict'])"
  done | sort | uniq -c
done
