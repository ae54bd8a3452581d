#!/usr/bin/env bash
# The whole path on the store of this folder: a real hazard found in a real
# binary, explained, fixed at link time, and measured: story.sh BUILD FOLDER
# BUILD is a build of Linesman; the stores go into FOLDER.
set -euo pipefail
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
PATH=$build/bin:$PATH
say() { printf '\n== %s\n\n' "$*"; }

say "The store: each thread has a shard of its own, and nothing is shared on purpose."
make -s OUT="$out" LINESMAN="$build"
cd "$out"

say "Who meets on a cache line?   linesman layout store"
linesman layout store

say "After relinking with nil_root apart:   linesman layout store-isolated"
linesman layout store-isolated

say "After four changed lines (guard.patch), no relink:   linesman layout store-guarded"
linesman layout store-guarded

say "What it costs: queries per second per thread"
bash "$OLDPWD/bench.sh" "$out" "${ROUNDS:-5}"
