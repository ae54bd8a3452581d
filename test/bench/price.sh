#!/usr/bin/env bash
# What watch predicts of a shared line, beside what an A/B with the words on lines
# of their own measures: price.sh BUILD [SECONDS]. For loops of several lengths,
# whose rest does not need the line (the processor goes on meanwhile), and does.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
linesman=$(cd "$1" && pwd)/bin/linesman
seconds=${2:-6}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${CXX:-c++}" -O2 -pthread "$here/price.cpp" -o "$work/price"
for turns in 30 100 300 1000 3000; do
  for depends in 0 1; do
    "$linesman" watch --symbol=Words+0 --duration="$seconds" --format=json -o "$work/watched.json" \
      -- "$work/price" $((seconds + 2)) $turns 8 $depends >/dev/null 2>&1
    "$linesman" ab --match='([0-9]+)' --time-limit=20 --disturbed=last-resort --format=json -o "$work/compared.json" \
      "$work/price 0.5 $turns 8 $depends" "$work/price 0.5 $turns 64 $depends" 2>/dev/null
    python3 - "$work" $turns $depends <<'END'
import json, sys
work, turns, depends = sys.argv[1:]
price = json.load(open(work + "/watched.json"))["findings"][0]["observed"].get("predicted")
ab = json.load(open(work + "/compared.json"))
share = lambda ratio: 100 * (1 - 1 / ratio)
said = "no price"
if price:
    low, high = price["share"]["low"], price["share"].get("high")
    said = f"{100 * low:.1f} to {100 * high:.1f} %" if high else f"{100 * low:.1f} % or more"
    said += f" at {price['transfer_ns']:.0f} ns"
measured = "nothing"
if "ratio" in ab:
    measured = " to ".join(f"{share(ab['ratio'][key]):.1f}" for key in ("low", "high")) + " %"
print(f"{turns} turns, {'waits' if depends == '1' else 'goes on'}: predicted {said}; measured {measured} ({ab['verdict']}, {ab['disturbed_rounds']} of {ab['rounds']} disturbed)")
END
  done
done
