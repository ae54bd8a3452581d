#!/usr/bin/env bash
# Compiles the objects of the relink tests: compile.sh CLANG FOLDER [FLAG...]
set -euo pipefail
clang=$1 folder=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"
inputs=$(dirname "${BASH_SOURCE[0]}")
"$clang" -O1 -fcommon "$@" -c "$inputs/common.c" -o "$folder/common.o"
for unit in main other; do
  "$clang++" -std=c++17 -O1 -fdata-sections "$@" -c "$inputs/$unit.cpp" -o "$folder/$unit.o"
done
