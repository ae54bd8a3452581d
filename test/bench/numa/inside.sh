#!/usr/bin/env bash
# Inside the two-node machine: linesman bisect on the oracle workload, once for
# each seed and each share of flipped windows; a line for each run. Simulated.
# BUILD, WORK (with oracle and link.txt), SEEDS and FLIPS come from the
# environment of the script that run.sh writes.
cd /tmp
for flips in $FLIPS; do
  for seed in $SEEDS; do
    rm -f log*
    "$BUILD/bin/linesman" bisect --match 'ops ([0-9.]+)' --live=1 --simulated --link-command "$WORK/link.txt" \
      --log log --format=json -o result.json -- "$WORK/oracle" live seed="$seed" flips="$flips" noise=3 2>errors
    culprit=$(awk '/^culprit/ {print $2; exit}' errors)
    python3 -S - "$seed" "$flips" "$culprit" <<'PYTHON'
import glob, json, os, sys
seed, flips, culprit = sys.argv[1:]
try:
    result = json.load(open("result.json"))
except Exception:
    result = {"outcome": "failed", "findings": []}
found = [f["id"] for f in result["findings"]]
def searched(pattern):
    return sum(line.startswith("search ") for path in glob.glob(pattern) for line in open(path))
right = found == [culprit]
# A page that was not told apart into symbols is no answer yet, if it is the right one.
wrong = any(f["id"] != culprit and culprit not in [o["name"] for o in f["occupants"]] for f in result["findings"])
unsure = result["outcome"] if result["outcome"] != "found" else "page-only"
print(f"seed {seed} flips {flips}: {'right' if right else 'WRONG' if wrong else unsure}"
      f" {culprit} {','.join(found).replace(' ', '-')} page-windows {searched('log')} symbol-windows {searched('log.*.symbols')}", flush=True)
PYTHON
    rm -f result.json
  done
done
