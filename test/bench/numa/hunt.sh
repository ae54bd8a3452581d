#!/usr/bin/env bash
# linesman hunt in the two-node machine: the page, the symbol and the cost of the
# line, with two relinks in all. Takes about 12 minutes. Simulated: the metric is
# the program's own arithmetic. hunt.sh [BUILD]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
build=$(cd "${1:-build}" && pwd)
image=$build/test/numa/vm
work=$build/test/numa/hunt
bash test/numa/make-image.sh "$image"
rm -rf "$work" && mkdir -p "$work"
clang++-22 -O2 -g -DSHARED -DPAGES -fdata-sections -fpass-plugin="$build/lib/linesman-facts.so" \
  -c test/hunt/Inputs/hazards.cpp -o "$work/hazards.o"
echo "clang++-22 -fuse-ld=lld -pthread $work/hazards.o -o $work/hazards" >"$work/link.txt"
sh "$work/link.txt"
# On one processor, so that pages are born on node 0 in both builds: otherwise
# the metric has the two levels of the stories.
cat >"$work/script.sh" <<SCRIPT
cd /tmp
taskset -p 1 \$\$ >/dev/null
export PATH='$build/bin':\$PATH
linesman hunt --simulated --match='ops ([0-9]+)' --time-limit=600 --link-command='$work/link.txt' -- '$work/hazards' 0.02 2>&1
SCRIPT
bash test/numa/vm.sh "$image" "$work/script.sh" | tee "$work/story.txt"
FileCheck-22 --input-file="$work/story.txt" test/bench/numa/hunt.sh
[ "$(grep -c 'linesman relink --plan' "$work/story.txt")" = 1 ] || { echo "more relinks than one by bisect" >&2; exit 1; }

# CHECK: hunt: search the page, then the symbol (pages)
# CHECK: costed: Hits
# CHECK: located: by facts of the code
# CHECK: costed: Hits (page 0x{{[0-9a-f]+}}) alone on the remote node explains 100 % of the slow-down, p = 0.0
# CHECK: the metric is simulated: no cost here is real
# CHECK: Hits isolated: faster: 1.25 times the metric
# CHECK: it stays slow on a page of its own: the symbol itself is shared
