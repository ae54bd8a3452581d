#!/usr/bin/env bash
# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Bytes of the HTML report of a binary with 300,000 data symbols. Exits 1 above
# 10 MB.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 - >"$dir/objects.s" <<'EOF'
import random

random.seed(1)
for n in range(300000):
    name = f"_ZN5store6detail5Shard{len(str(n)) + 1}o{n}E"
    print(f".type {name},@object\n.globl {name}\n.comm {name},{random.choice((1, 4, 8, 8, 16, 40, 160))},8")
EOF
clang-22 -shared -nostdlib -fuse-ld=lld "$dir/objects.s" -o "$dir/objects.so"
"$root/build/bin/linesman" layout --format=html -o "$dir/report.html" "$dir/objects.so"
size=$(stat -c %s "$dir/report.html")
echo "$size bytes"
[ "$size" -le 10000000 ]
