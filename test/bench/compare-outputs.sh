#!/usr/bin/env bash
# Whether two builds of linesman say the same: what layout, diff, plan, lock,
# watch and bisect print of the examples, and of memcached where it is installed
# (MEMCACHED=FILE names another build of it).
#   test/bench/compare-outputs.sh OLD-BUILD NEW-BUILD [FOLDER]
# Prints a row for each binary and command; fails where one differs.
# compare_outputs.py says what is compared.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
old=$(cd "$1" && pwd) new=$(cd "$2" && pwd)
folder=${3:-$(mktemp -d)}
mkdir -p "$folder" && cd "$folder"
# Both builds read the same binaries.
for example in broken_padding nil_root refcount_empty settings_and_counters spsc_queue subtype_cache worker_stats; do
  make -s -C "$here/../../examples/$example" OUT="$folder/$example" LINESMAN="$new" CXX=/usr/lib/llvm-22/bin/clang++
done
memcached=${MEMCACHED:-$(command -v memcached || true)}
if [ -n "$memcached" ]; then
  mkdir -p memcached && cp "$memcached" memcached/memcached
fi
python3 "$here/compare_outputs.py" "$old/bin/linesman" "$new/bin/linesman" */
