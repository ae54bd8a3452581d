#!/usr/bin/env bash
# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Links the objects-* program with one linker in every way that moves or drops
# objects, and checks each time that all facts have the symbol table's addresses
# and that every kind of variable has facts:
#   check_addresses.sh LINKER CLANG PLUGIN PYTHON OUTPUT-FOLDER [MODE]
# MODE: thin or full, for link-time optimisation with lld.
set -euo pipefail
linker=$1 clang=$2 plugin=$3 python=$4 out=$5
mode=${6:-}
levels=(-O0 -O2) lto=() lto_link=()
case $mode in
  # ThinLTO's backends have no extension point at -O0 (docs/limits.md).
  thin) levels=(-O2) lto=(-flto=thin) ;;
  full) lto=(-flto=full) ;;
esac
[ -z "$mode" ] || lto_link=("-Wl,--load-pass-plugin=$plugin")
inputs=$(dirname "${BASH_SOURCE[0]}")
rm -rf "$out"
mkdir -p "$out"
expected=(in_namespace in_anonymous file_static function_local c_common
  in_archive archive_static totalE inline_variable inline_function_local)

compile() { # compile FOLDER FLAGS...: the program's objects
  local folder=$1
  shift
  mkdir -p "$folder"
  local unit
  for unit in main other; do
    "$clang"++ "$@" -std=c++17 -fpass-plugin="$plugin" -c "$inputs/objects-$unit.cpp" -o "$folder/$unit.o"
  done
  for unit in common archive; do
    "$clang" "$@" -fcommon -fpass-plugin="$plugin" -c "$inputs/objects-$unit.c" -o "$folder/$unit.o"
  done
  # With clang's own symbol index for bitcode members.
  rm -f "$folder/lib.a"
  "$(dirname "$clang")/llvm-ar" rcs "$folder/lib.a" "$folder/archive.o"
}

check() { # check BINARY
  local facts name
  "$python" "$inputs/dump_facts.py" --check "$1" >"$1.facts" || {
    echo "$1: wrong addresses" >&2
    exit 1
  }
  facts=$(cat "$1.facts")
  for name in "${expected[@]}"; do
    case $facts in
      *"$name"*) ;;
      *)
        echo "$1: no facts about $name" >&2
        exit 1
        ;;
    esac
  done
  case $facts in
    *" 0 foreign objects") ;;
    *)
      echo "$1: objects without an address" >&2
      exit 1
      ;;
  esac
}

sections=(-ffunction-sections -fdata-sections)
for level in "${levels[@]}"; do
  for kind in pie no-pie shared; do
    case $kind in
      pie) compile_flags=(-fPIE) link_flags=(-pie) ;;
      no-pie) compile_flags=(-fno-pie) link_flags=(-no-pie) ;;
      shared) compile_flags=(-fPIC) link_flags=(-shared) ;;
    esac
    for gc in no-gc gc; do
      extra=("${sections[@]}")
      [ "$gc" = no-gc ] || extra+=(-Wl,--gc-sections)
      # Dead code refers to what nobody defines. GNU ld and mold complain about
      # the facts of dropped code (docs/limits.md), and what a shared object
      # exports is not dead.
      [ "$linker-$kind-$gc" = "lld-${kind/shared/}-gc" ] || extra+=(-Wl,--defsym=never_defined=4096)
      name=$out/$kind$level-$gc
      compile "$name.objects" "$level" -g "${compile_flags[@]}" "${sections[@]}" "${lto[@]}"
      "$clang"++ "$level" -fuse-ld="$linker" "${link_flags[@]}" "${extra[@]}" "${lto[@]}" "${lto_link[@]}" -Wl,-z,defs \
        "$name.objects/main.o" "$name.objects/other.o" "$name.objects/common.o" "$name.objects/lib.a" -o "$name"
      check "$name"
      [ "$kind" = shared ] || "$name"
    done
  done
done
