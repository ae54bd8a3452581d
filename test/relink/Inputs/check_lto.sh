#!/usr/bin/env bash
# Edits in links of intermediate code, full and Thin: check_lto.sh CLANG FOLDER LINKER...
# All but ld.lld have LLVM's optimizer as a plugin (LLVMgold.so).
set -euo pipefail
clang=$1 folder=$2 inputs=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
shift 2
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
for lto in full thin; do
  for unit in main other; do "$clang++" -O1 -flto=$lto -fdata-sections -std=c++17 -c "$inputs/$unit.cpp" -o $unit.o; done
  "$clang" -O1 -flto=$lto -fdata-sections -fcommon -c "$inputs/common.c" -o common.o
  for linker in "$@"; do
    link=("$clang++" -flto=$lto -fuse-ld="$linker" main.o other.o common.o)
    "${link[@]}" -o plain && ./plain >expected
    linesman relink --isolate zeros --isolate common_counter -o alone -- "${link[@]}" -o plain
    ./alone | cmp - expected
    # The optimizer may append to a name.
    python3 "$inputs/alone.py" alone 64 $(llvm-nm alone | sed -nE 's/^.* ((zeros|common_counter)(\..*)?)$/\1/p')
    linesman relink --group zeros,common_counter -o together -- "${link[@]}" -o plain
    ./together | cmp - expected
    rm alone together
    echo "$linker, $lto: holds"
  done
done
