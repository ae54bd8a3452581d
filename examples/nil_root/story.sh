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

build_store() { make -s OUT="$out" LINESMAN="$build" "$out/$1"; }

say "The store: each thread has a shard of its own, and nothing is shared on purpose."
build_store store
(cd "$out" && linesman layout store)

say "Link again with the two apart: linesman relink --isolate"
rm -f "$out/store-isolated"
build_store store-isolated
(cd "$out" && linesman layout store-isolated)

say "Or change four lines of the source (guard.patch)"
build_store store-guarded
(cd "$out" && linesman layout store-guarded)

say "What it costs: queries per second per thread"
bash bench.sh "$out" "${ROUNDS:-5}"
