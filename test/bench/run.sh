#!/usr/bin/env bash
# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every speed that is claimed, measured again by one command with public tools:
# installs what is missing, runs the benches, and makes one table of their rows.
#   run.sh [--write] [--list] [NAME...]       default: all, about two hours
# --write puts the table into docs/measurements.md, where rows of benches that were
# not run now stay, with their day. Exits 1 when a bound does
# not hold; the table says which.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
declare -A benches=(
  [layout-speed]="bash test/bench/layout-speed.sh"
  [code-speed]="bash test/bench/code-speed.sh"
  [join-cost]="build/bin/join-cost"
  [members-speed]="bash test/bench/members.sh 60"
  [facts-cost]="bash test/bench/facts-cost.sh"
  [projects]="python3 test/bench/projects.py build"
  [tidy-cost]="bash test/bench/tidy-cost.sh"
  [relink-cost]="bash test/bench/relink-cost.sh"
  [watch-slowdown]="bash test/bench/watch-slowdown.sh"
  [record-slowdown]="bash test/bench/record-slowdown.sh"
  [shim-idle]="bash test/bench/shim-idle.sh"
  [shim-dirty]="bash test/bench/shim-dirty.sh build 60"
  [shim-start]="bash test/bench/shim-start.sh"
  [bisect-windows]="build/bin/bisect-windows"
)
write= names=()
for word in "$@"; do
  case $word in
  --write) write=--write ;;
  --list)
    printf '%s\n' "${!benches[@]}" | sort
    exit
    ;;
  *)
    [ -n "${benches[$word]:-}" ] || {
      echo "no bench '$word': run.sh --list names them" >&2
      exit 2
    }
    names+=("$word")
    ;;
  esac
done
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(printf '%s\n' "${!benches[@]}" | sort)

source examples/setup.sh
install_packages "${build_packages[@]}" "${test_packages[@]}" "${bench_packages[@]}"
cmake --preset release >/dev/null
cmake --build --preset release --target all bisect-windows join-cost | tail -n 1

rows=$PWD/build/test/bench/rows
mkdir -p "$rows"
status=0
for name in "${names[@]}"; do
  echo "--- $name"
  LINESMAN_BENCH_ROWS=$rows/$name.new
  export LINESMAN_BENCH_ROWS
  rm -f "$LINESMAN_BENCH_ROWS"
  ${benches[$name]} || status=1
  if [ -s "$LINESMAN_BENCH_ROWS" ]; then
    mv "$LINESMAN_BENCH_ROWS" "$rows/$name.json"
  else
    echo "$name has measured nothing" >&2
    status=1
  fi
done
python3 test/bench/table.py "$rows" docs/measurements.md $write
exit $status
