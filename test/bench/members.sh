#!/usr/bin/env bash
# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What naming members costs on binaries with much debug information: user and
# system time and peak memory of `linesman layout`, without findings (no DWARF is
# touched) and with one whose object the last unit describes, beside the size of
# .debug_info. The binaries hold one unit of clang's headers many times.
#   members.sh [COPIES...]    (default: 60 500)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
llvm=/usr/lib/llvm-22
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

cat >headers.cpp <<'EOS'
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
clang::ast_matchers::MatchFinder *finder;
long use(clang::ASTContext &C) { return C.getTypeSize(C.IntTy); }
EOS
cat >last.cpp <<'EOS'
struct Node { long back; int key, level; } nodes[4];
long work(long by) { nodes[1].back += by; return nodes[1].key; }
EOS
"$llvm/bin/clang++" -std=c++20 -g -fPIC -fno-rtti -fstandalone-debug -I"$llvm/include" -c headers.cpp
"$llvm/bin/clang++" -g -O1 -fPIC -fpass-plugin="$root/build/lib/linesman-facts.so" -c last.cpp

measure() { # measure LABEL ARGUMENT...
  local label=$1
  shift
  for run in 1 2 3; do
    /usr/bin/time -f '%U %S %M' -o "time.$run" "$root/build/bin/linesman" layout --facts=compiler "$@" >report
  done
  # The median of three by user time.
  sort -n time.[123] | sed -n 2p | awk -v label="$label" '{ printf "  %-18s %5.2f s  %4d MB\n", label, $1 + $2, $3 / 1024 }'
}

[ $# -gt 0 ] || set -- 60 500
for copies in "$@"; do
  "$llvm/bin/clang++" -shared -fuse-ld=lld -Wl,-z,muldefs $(yes headers.o | head -n "$copies") last.o -o big
  size=$("$llvm/bin/llvm-size" -A big | awk '$1 == ".debug_info" { print int($2 / 1e6) }')
  echo "$copies units, $size MB of .debug_info"
  measure "no finding" --top=0 big
  measure "one finding" big
  grep -q 'written: nodes\[1\].back; read: nodes\[1\].back, nodes\[1\].key' report
  # Beside what people use to see one type.
  ! command -v pahole >/dev/null || python3 "$root/test/bench/members_speed.py" "$root/build/bin/linesman" big Node "$copies units, $size MB of .debug_info"
done
