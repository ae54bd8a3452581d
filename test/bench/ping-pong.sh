#!/usr/bin/env bash
# What doctor --measure says of handing a line over, beside a plain C ping-pong,
# in turn: ping-pong.sh BUILD [ROUNDS]. The ratio should be within 1.5.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
linesman=$(cd "$1" && pwd)/bin/linesman
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -pthread "$here/ping-pong.c" -o "$work/ping-pong"
for ((round = 0; round < ${2:-5}; ++round)); do
  "$linesman" doctor --measure --format=json -o "$work/d.json"
  read -r from to doctor < <(python3 -c "import json; t = json.load(open('$work/d.json'))['transfers'][0]; print(t['from'], t['to'], t['nanoseconds'])")
  plain=$("$work/ping-pong" "$from" "$to")
  awk -v d="$doctor" -v p="$plain" 'BEGIN {printf "doctor %.1f ns, plain %.1f ns, ratio %.2f\n", d, p, d / p}'
done
