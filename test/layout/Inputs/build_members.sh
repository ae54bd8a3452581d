#!/usr/bin/env bash
# Builds members.cpp and its other unit with DWARF of a version, as OUTPUT, with
# its objects beside it:
#   build_members.sh COMPILER VERSION OUTPUT [FLAG...]
set -euo pipefail
compiler=$1 version=$2 output=$3
shift 3
for unit in members members-late; do
  # A cache of compilations would leave no .dwo file behind.
  CCACHE_DISABLE=1 "$compiler" -std=c++20 -O1 -g "-gdwarf-$version" "$@" -c "$(dirname "${BASH_SOURCE[0]}")/$unit.cpp" -o "$output-$unit.o"
done
"$compiler" -pthread "$output-members.o" "$output-members-late.o" -o "$output"
