#!/usr/bin/env bash
# 20 seeds at 0 and at 10 % flipped windows, end to end in the two-node machine:
# how often page and then symbol are right, and in how many windows. Takes about
# 20 minutes. Simulated: the machine moves pages, the workload's slowness is its
# own. run.sh [BUILD] [SEEDS] [FLIPS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
build=$(cd "${1:-build}" && pwd)
seeds=${2:-$(seq -s ' ' 1 20)}
flips=${3:-0 10}
image=$build/test/numa/vm
work=$build/test/numa/bench
bash test/numa/make-image.sh "$image"
bash test/numa/make-oracle.sh "$work" 64 6
cat >"$work/script.sh" <<SCRIPT
export BUILD='$build' WORK='$work' SEEDS='$seeds' FLIPS='$flips'
. '$PWD/test/bench/numa/inside.sh'
SCRIPT
VM_SECONDS=3600 bash test/numa/vm.sh "$image" "$work/script.sh" | tee "$work/result.txt"
for rate in $flips; do
  awk -v rate="$rate" '$4 == rate ":" {n++; right += $5 == "right"; wrong += $5 == "WRONG"; page += $9; symbol += $11}
    END {printf "flips %s %%: %d of %d right, %d wrong and certain; mean search windows %.1f for the page (of 66), %.1f for the symbol (simulated)\n", rate, right, n, wrong, page / n, symbol / n}' "$work/result.txt"
done
