#!/usr/bin/env bash
# The compiler is Debian's GCC, which makes the locks; machine code says what they do.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh" "$@"
install_packages g++

say "What shares a line in a program with two critical sections"
g++ -std=c++20 -O2 -g -fopenmp -I"$field" -c "$here/driver.cpp" -o driver.o
link=(g++ -fopenmp driver.o)
"${link[@]}" -o driver
run linesman layout --filter=totals_written --top=1 driver

say "Who is on the line while it runs"
run linesman watch --symbol=.gomp_critical_user_totals_written -- ./driver 8

say "Linked again with the two apart"
run linesman relink --isolate .gomp_critical_user_totals_written -o driver-apart -- "${link[@]}" -o driver

say "What it costs: time of an operation while the other thread runs the other one"
for operation in count-read count-written; do
  compare "$operation" ./driver ./driver-apart
done
