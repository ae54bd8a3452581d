#!/usr/bin/env bash
# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `linesman layout` costs on large unstripped binaries, as ratios in one
# run: user time of interleaved runs against llvm-nm, nm, readelf and bloaty on
# the same file, where they are installed, and peak memory (beyond that of
# `linesman --version`, which loads the same libraries) against the symbol, string
# and facts sections; and how the time grows with the size. Exits 1 above the
# bounds of llvm-nm's ratio and of memory: a binary's own after an equals sign, or
# 1/10 and 1.5 (the goal).
#   layout-speed.sh [BINARY[=TIME,MEMORY]...]    (default: generated ones)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
llvm=/usr/lib/llvm-22/bin
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# build NAME FUNCTIONS OBJECTS TOUCHED: links a shared object with so many
# function and data symbols. C functions, compiled with the pass, touch ten of
# the TOUCHED objects each, in units of a thousand functions; all else is
# assembly, which is fast to make.
build() {
  python3 - "$dir/$1" "$2" "$3" "$4" <<'EOF'
import random, sys

path, functions, objects, touched = sys.argv[1], *map(int, sys.argv[2:])
random.seed(1)
AT_ONCE, IN_UNIT = 10, 10000
mangled = lambda kind, n: f"_ZN5store6detail5Shard{len(str(n)) + 1}{kind}{n}E"

for begin in range(0, touched, IN_UNIT):
    unit = range(begin, min(begin + IN_UNIT, touched))
    other = {n: random.randrange(touched) for n in unit}
    with open(f"{path}-{begin}.c", "w") as out:
        for n in unit:
            print(f'long o{n}{random.choice(["", "", "[4]", "[20]"])} __asm__("{mangled("o", n)}");', file=out)
        for n in sorted(set(other.values()) - set(unit)):
            print(f'extern long o{n} __asm__("{mangled("o", n)}");', file=out)
        for first in unit[::AT_ONCE]:
            print(f'void f{first}(long i) __asm__("{mangled("f", first)}v");\nvoid f{first}(long i) {{', file=out)
            for n in range(first, min(first + AT_ONCE, unit.stop)):
                print(f"  *(volatile long *)&o{n} += *(volatile long *)&o{other[n]};", file=out)
            print("}", file=out)

with open(f"{path}.s", "w") as out:
    print(".text", file=out)
    for n in range(functions - touched // AT_ONCE):
        name = mangled("g", n) + "v"
        print(f".type {name},@function\n.globl {name}\n{name}:\nret\n.size {name},1", file=out)
    for n in range(touched, objects):
        name, size = mangled("o", n), random.choice((1, 4, 8, 8, 16, 40, 160))
        local = random.random() < 0.5
        print(f".type {name},@object\n{'.local' if local else '.globl'} {name}", file=out)
        print(f".comm {name},{size},{min(size & -size, 16)}", file=out)
EOF
  local unit
  for unit in "$dir/$1"-*.c; do
    "$llvm/clang" -w -O1 -g1 -fPIC -fpass-plugin="$root/build/lib/linesman-facts.so" -c "$unit" -o "${unit%.c}.o"
  done
  "$llvm/clang" -c "$dir/$1.s" -o "$dir/$1-s.o"
  "$llvm/clang" -shared -fuse-ld=lld "$dir/$1"-*.o -o "$dir/$1"
  rm "$dir/$1"?*
}

compare() { python3 "$root/test/bench/compare_layout.py" "$root/build/bin/linesman" "$llvm" "$@"; }

status=0
if [ $# -eq 0 ]; then
  # As programs are: most symbols are functions. This one and "large" meet the
  # goal, and "data" its time; the bounds keep all from getting worse.
  build mostly-functions 260000 40000 20000
  # Data alone, a tenth and half of it with facts (two facts an object).
  build data 15000 300000 30000
  build half-of-data-touched 15000 300000 150000
  # The same at three sizes, a tenth with facts.
  build small 500 10000 1000
  build large 100000 2000000 200000
  compare "$dir/mostly-functions=0.12,1.4" "$dir/half-of-data-touched=0.25,2.1" || status=1
  GROWTH=1 compare "$dir/small=1.2,20" "$dir/data=0.12,1.8" "$dir/large=0.12,1.5" || status=1
else
  compare "$@" || status=1
fi
exit $status
