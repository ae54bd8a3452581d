#!/usr/bin/env bash
# linesman bisect --starts in the two-node machine: a program whose pages are
# born anywhere, one whose pages never differ, one that is good where all is
# remote. Simulated. Takes about 5 minutes. starts.sh [BUILD]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
build=$(cd "${1:-build}" && pwd)
image=$build/test/numa/vm
work=$build/test/numa/starts
bash test/numa/make-image.sh "$image"
rm -rf "$work"
bash test/numa/make-oracle.sh "$work" 32 6
cat >"$work/script.sh" <<SCRIPT
cd /tmp
taskset -p 1 \$\$ >/dev/null
export PATH='$build/bin':\$PATH
starts="linesman bisect --match=ops.([0-9.]+) --live=2 --candidates=.bss"
for seed in 4 5 6; do
  echo "== scattered \$seed"
  taskset -p 3 \$\$ >/dev/null
  \$starts --starts=20 -- '$work/oracle' slow seed=\$seed noise=5 scatter=1 2>&1 | uniq
done
echo "== JSON"
\$starts --starts=16 --format=json -- '$work/oracle' slow seed=4 scatter=1 2>/dev/null
echo "== always the same"
taskset -p 1 \$\$ >/dev/null
\$starts --starts=8 -- '$work/oracle' slow seed=4 2>&1 | uniq
echo "== the other way round"
taskset -p 3 \$\$ >/dev/null
\$starts --starts=20 --better=lower -- '$work/oracle' slow seed=4 scatter=1 2>&1 | uniq
echo "== interrupted"
timeout -s INT 20 \$starts --starts=200 -- '$work/oracle' slow seed=4 scatter=1 2>&1 | uniq
pidof oracle || echo "nothing is left"
echo "== end"
SCRIPT
VM_SECONDS=2400 bash test/numa/vm.sh "$image" "$work/script.sh" | tee "$work/result.txt"
# The page that is named first has the culprit on it.
python3 - "$work" <<'PYTHON'
import re, subprocess, sys
work = sys.argv[1]
address = {n: int(a, 16) for a, _, n in (l.split() for l in subprocess.run(["llvm-nm-22", f"{work}/oracle"], capture_output=True, text=True).stdout.splitlines() if len(l.split()) == 3)}
right = 0
for part in re.split(r"^== ", open(f"{work}/result.txt").read(), flags=re.M)[1:]:
    found = re.search(r"culprit (\w+)[\s\S]*?^page (0x[0-9a-f]+)", part, re.M)
    if part.startswith("scattered"):
        good = bool(found) and address[found[1]] // 4096 == int(found[2], 16) // 4096
        right += good
        print(part.split("\n")[0], "right" if good else "WRONG")
print(f"{right} of 3 pages right")
PYTHON
FileCheck-22 --input-file="$work/result.txt" test/bench/numa/starts.sh

# CHECK: == scattered 4
# CHECK: 20 starts: {{[0-9]+}} at about {{[34][0-9]+}} (bad), {{[0-9]+}} at about {{[0-9.e+]+}} (good)
# CHECK-NEXT: page 0x{{[0-9a-f]+}} of oracle:
# CHECK-NEXT: on it: object_
# CHECK: all local (node 0): {{.*}}, as in good starts; all remote (node 1): {{.*}}, as in bad starts
# CHECK: == JSON
# CHECK: "outcome": "found"
# CHECK: == always the same
# CHECK: 8 starts, all at one level
# CHECK: every page was on the same node in all starts
# CHECK: == the other way round
# CHECK: all local is the bad state: search with --local=1 --remote=0
# CHECK: == interrupted
# CHECK: starts until it was stopped
# CHECK: nothing is left
# CHECK: == end
