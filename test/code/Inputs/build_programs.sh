#!/usr/bin/env bash
# Builds the project's test programs with compiler facts, at all levels of
# optimization and as the three kinds of ELF file, into FOLDER:
#   build_programs.sh CLANG PLUGIN SOURCE FOLDER
set -euo pipefail
clang=$1 plugin=$2 source=$3 folder=$4
build() { # build OUTPUT FLAG-OR-SOURCE...
  local output=$1
  shift
  "${clang}++" -std=c++20 -g -pthread -fuse-ld=lld -fpass-plugin="$plugin" "$@" -o "$folder/$output"
}
shapes=$source/test/code/Inputs/shapes.cpp
for level in 0 1 2 3; do
  build "shapes-O$level" -O$level "$shapes"
  build "source-O$level" -O$level "$source/test/FactsPass/source.cpp"
done
build shapes-fixed -O2 -fno-pie -no-pie "$shapes"
build shapes-shared.so -O2 -fPIC -shared "$shapes"
build shapes-avx -O3 -mavx2 "$shapes"
build store -O2 "$source"/examples/nil_root/{log,shard,main}.cpp
bash "$source/test/layout/Inputs/build_counters.sh" "$clang" "$plugin" "$folder/counters"
