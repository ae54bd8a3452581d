#!/usr/bin/env bash
# What the one step costs that looks at a whole program: linesman layout on a
# shared object with 10 million facts, which is what some ten thousand units have.
# Prints user time and peak memory of the step, of the same with --types, and of
# lld linking the same objects.
#   scale.sh [BUILD] [UNITS]      100 units of 100,000 facts each
set -euo pipefail
build=$(realpath "${1:-build}")
units=${2:-100}
llvm=/usr/lib/llvm-22/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# 1000 functions of 100 accesses each, on 1000 objects; some are threads.
python3 - >unit.c <<'PY'
import random
random.seed(1)
print("typedef unsigned long size;\nint pthread_create(size *, const void *, void *(*)(void *), void *);")
for n in range(1000):
    print(f"long o{n}[{random.choice([1, 1, 2, 9])}];")
for n in range(1000):
    body = "".join(
        f" o{random.randrange(1000)}[0] += *(volatile long *)o{random.randrange(1000)};" for _ in range(50)
    )
    print(f"void *f{n}(void *i) {{ for (;;) {{ {body} if (*(volatile long *)i) return 0; }} }}")
print("void start(void) { size t;")
for n in range(0, 1000, 10):
    print(f"pthread_create(&t, 0, f{n}, 0);")
print("}")
PY
"$llvm/clang" -O1 -g1 -fPIC -fdata-sections "-fpass-plugin=$build/lib/linesman-facts.so" -c unit.c -o unit.o
for ((n = 0; n < units; n++)); do
  "$llvm/llvm-objcopy" --prefix-symbols="u${n}_" unit.o "$n.o"
  # What starts threads keeps its name.
  "$llvm/llvm-objcopy" --redefine-sym "u${n}_pthread_create=pthread_create" "$n.o"
done
ls ./*[0-9].o >objects
measure() {
  local name=$1
  shift
  /usr/bin/env python3 - "$name" "$@" <<'PY'
import resource, subprocess, sys
name, *command = sys.argv[1:]
subprocess.run(command, check=True, stdout=open("out", "w"))
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{name:28} {used.ru_utime:7.1f} s user {used.ru_stime:6.1f} s system {used.ru_maxrss / 2**20:7.2f} GB")
PY
}
measure "ld.lld" "$llvm/ld.lld" -shared @objects -o all.so
ls -l all.so | awk '{ printf "%-28s %7.2f GB\n", "the shared object", $5 / 2^30 }'
measure "linesman layout" "$build/bin/linesman" layout --facts=compiler --format=json --top=10 all.so
"$build/bin/linesman" --version
