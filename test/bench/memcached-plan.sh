#!/usr/bin/env bash
# A plan for memcached, captured from its own build: fetched, configured with the
# facts pass in CFLAGS and otherwise left alone, captured, planned, relinked and
# verified; then its own test-suite runs on the edited server.
#   test/bench/memcached-plan.sh BUILD FOLDER
# Exit 77 when the sources cannot be reached.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
source_folder=$(bash "$here/test/fetch-source.sh" memcached "$2")
PATH=$build/bin:/usr/lib/llvm-22/bin:$PATH
cd "$source_folder"
if [ ! -e plain ]; then
  # In this order nothing of autoconf looks out of date.
  touch aclocal.m4 && touch configure Makefile.in config.h.in
  CC=clang CFLAGS="-g -O2 -fdata-sections -fpass-plugin=$build/lib/linesman-facts.so" ./configure >configure.log 2>&1
  linesman capture -- make -j2 memcached memcached-debug sizes testapp timedrun >capture.log 2>&1
  cp memcached plain
fi
linesman plan plain -o plan.json
python3 - <<'PY'
import json
plan = json.load(open("plan.json"))
print(len(plan["edits"]), "edits for", sum(len(e["findings"]) for e in plan["edits"]), "findings,",
      sum(e["cost"]["bytes"] for e in plan["edits"]), "bytes; left:", len(plan["left"]))
print("score between objects:", plan["other_objects"])
PY
linesman relink --plan plan.json --captured memcached -o edited
score() { linesman layout --all --format=json "$1" | python3 -c 'import json,sys; f=json.load(sys.stdin)["findings"]; print(len(f), "findings, score between objects", round(sum(x["score_parts"]["other_objects"] for x in f), 1))'; }
echo "plain:  $(score plain)"
echo "edited: $(score edited)"
linesman plan edited | python3 -c 'import json,sys; print("as foreseen:", json.load(sys.stdin)["other_objects"]["before"])'
cp edited memcached
echo "its own test-suite, on the edited server:"
prove t/ >prove.log 2>&1 && tail -n 3 prove.log || { tail -n 30 prove.log; exit 1; }
