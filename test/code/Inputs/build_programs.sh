#!/usr/bin/env bash
# Builds the project's test programs with compiler facts, at all levels of
# optimization (AArch64: two) and as the three kinds of ELF file, into FOLDER:
#   build_programs.sh CLANG PLUGIN SOURCE FOLDER [FLAG...]
# The flags are for all of them (--target=aarch64-linux-gnu).
set -euo pipefail
clang=$1 plugin=$2 source=$3 folder=$4
shift 4
flags=("$@")
build() { # build OUTPUT FLAG-OR-SOURCE...
  local output=$1
  shift
  "${clang}++" "${flags[@]}" -std=c++20 -g -pthread -fuse-ld=lld -fpass-plugin="$plugin" "$@" -o "$folder/$output"
}
shapes=$source/test/code/Inputs/shapes.cpp
levels="0 1 2 3"
case "${flags[*]}" in *aarch64*) levels="0 2" ;; esac
for level in $levels; do
  build "shapes-O$level" -O$level "$shapes"
  build "source-O$level" -O$level "$source/test/FactsPass/source.cpp"
done
build shapes-fixed -O2 -fno-pie -no-pie "$shapes"
build shapes-shared.so -O2 -fPIC -shared "$shapes"
# The program that is linked without libraries can call none of libgcc's.
alone=()
case "${flags[*]}" in
  # With atomic instructions, and with exclusives in place of libgcc's functions.
  *aarch64*)
    build shapes-lse -O2 -march=armv8.1-a "$shapes"
    alone=(-mno-outline-atomics)
    build shapes-exclusive -O2 -mno-outline-atomics "$shapes"
    ;;
  *) build shapes-avx -O3 -mavx2 "$shapes" ;;
esac
build store -O2 "$source"/examples/nil_root/{log,shard,main}.cpp
bash "$source/test/layout/Inputs/build_counters.sh" "$clang" "$plugin" "$folder/counters" "${flags[@]}" "${alone[@]}"
