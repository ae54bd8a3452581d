#!/usr/bin/env bash
# The program is linked statically, so that its libc.a can be linked again with
# the two apart: the same bytes, in another order.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh" "$@"
install_packages clang-22 libc6-dev libc6-dbg

say "What is on the line of __pthread_force_elision: a static program with Debian's libc.a"
compile driver.o "$here/driver.cpp" -c
link=(clang++-22 -static driver.o -pthread)
"${link[@]}" -o driver
run linesman layout --filter=force_elision --top=1 driver

say "Who is on the line while it runs; the shared libc.so.6, which other programs use"
clang++-22 driver.o -o driver-shared -pthread
run linesman watch --symbol=__pthread_force_elision -- ./driver-shared 8

say "Linked again with the two apart"
run linesman relink --isolate __pthread_force_elision -o driver-apart -- "${link[@]}" -o driver

say "What it costs: time of an operation while the other thread runs the other one"
for operation in lock-unlock getc; do
  compare "$operation" ./driver ./driver-apart
done
