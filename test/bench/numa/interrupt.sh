#!/usr/bin/env bash
# linesman bisect in the two-node machine, interrupted in 20 random windows: ten
# times in a program that runs already, ten times in one that it has started.
# After each, all pages of the one are where they were, and nothing of the other
# is left. Takes about 8 minutes. interrupt.sh [BUILD] [TIMES] [SEED]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
build=$(cd "${1:-build}" && pwd)
image=$build/test/numa/vm
work=$build/test/numa/interrupt
bash test/numa/make-image.sh "$image"
rm -rf "$work"
bash test/numa/make-oracle.sh "$work" 32 6
cat >"$work/script.sh" <<SCRIPT
cd /tmp
taskset -p 1 \$\$ >/dev/null
export PATH='$build/bin':\$PATH PYTHONDONTWRITEBYTECODE=1
python3 -S '$PWD/test/bench/numa/interrupt.py' '$work/oracle' '${2:-20}' '${3:-1}' 2>&1
SCRIPT
VM_SECONDS=3000 bash test/numa/vm.sh "$image" "$work/script.sh"
