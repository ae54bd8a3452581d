#!/usr/bin/env bash
# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles and links each source with and without the pass and compares every
# allocated section of the outputs, byte by byte:
#   check_loaded.sh CLANG PLUGIN PYTHON OUTPUT-FOLDER LLVM-RELEASE
# Before LLVM 20 the order of dynamic symbols may change in every output
# (docs/limits.md): only sections, sizes and addresses are compared, and since that
# finds less, not at every level: the pass is the same.
set -euo pipefail
clang=$1 plugin=$2 python=$3 out=$4 release=$5
inputs=$(dirname "${BASH_SOURCE[0]}")
rm -rf "$out"
mkdir -p "$out"

build() { # build OUTPUT LINK-FLAG COMPILE-FLAGS...
  local output=$1 link=$2 source object objects=()
  shift 2
  # What is compiled in the same way is compiled once.
  local way
  way=$(echo "$*" | cksum)
  for source in "${sources[@]}"; do
    object=$out/${way%% *}-${source%.*}.o
    if [ ! -e "$object" ]; then
      case $source in
        *.c) "$clang" "$@" -fcommon -c "$inputs/$source" -o "$object" ;;
        *) "$clang++" "$@" -std=c++17 -c "$inputs/$source" -o "$object" ;;
      esac
    fi
    objects+=("$object")
  done
  "$clang++" -fuse-ld=lld -Wl,--build-id=none -Wl,--defsym=never_defined=4096 "$link" "${objects[@]}" -o "$output"
  "$python" "$inputs/dump_facts.py" --loaded "$output" >"$output.loaded"
}

compare() { # compare NAME LINK-FLAG COMPILE-FLAGS...
  build "$out/$1-without" "${@:2}"
  build "$out/$1-with" "${@:2}" -fpass-plugin="$plugin"
  "$python" "$inputs/dump_facts.py" "$out/$1-with" | grep 'weight' >/dev/null || {
    echo "$1: no facts, nothing is compared" >&2
    exit 1
  }
  if [ -n "${unordered:-}" ] || [ "$release" -lt 20 ]; then
    sed -i 's/ [^ ]*$//' "$out/$1-without.loaded" "$out/$1-with.loaded"
  fi
  cmp "$out/$1-without.loaded" "$out/$1-with.loaded" || {
    echo "$1: the pass changed what is loaded" >&2
    diff "$out/$1-without.loaded" "$out/$1-with.loaded" >&2 || true
    exit 1
  }
}

for program in objects loaded-standard; do
  case $program in
    objects) sources=(objects-main.cpp objects-other.cpp objects-common.c objects-archive.c) ;;
    *) sources=("$program.cpp") ;;
  esac
  # Every level; with and without debug information at -O0 and -O2.
  levels=("-O0 -g0" "-O0 -g" "-O1 -g0" "-O2 -g0" "-O2 -g" "-O3 -g0" "-Os -g")
  # The standard library takes most of the time, and has no object of a new kind.
  if [ "$program" != objects ]; then levels=("-O0 -g" "-O1 -g0" "-O2 -g" "-O3 -g0"); fi
  if [ "$release" -lt 20 ]; then levels=("-O0 -g" "-O2 -g0"); fi
  for flags in "${levels[@]}"; do
    compare "$program${flags// /}" -pie $flags -fPIE
  done
  # The linker's ways are of objects, which the other program has of every kind.
  if [ "$program" != objects ]; then break; fi
  compare "$program-no-pie" -no-pie -O2 -fno-pie
  compare "$program-gc" -Wl,--gc-sections -O2 -g -ffunction-sections -fdata-sections
  compare "$program-icf" -Wl,--icf=all -O2 -g -ffunction-sections -fdata-sections
  # Exported weak variables may change the order of dynamic symbols and with it
  # that of PLT and GOT entries (docs/limits.md): same sections, same sizes.
  compare "$program-hidden" -shared -O2 -g -fPIC -fvisibility=hidden
  unordered=yes
  compare "$program-rdynamic" -rdynamic -O2 -g -fPIE
  compare "$program-shared" -shared -O2 -g -fPIC
  compare "$program-shared-O0" -shared -O0 -g -fPIC
  unordered=
done
