#!/usr/bin/env bash
# Whether verdicts of `linesman watch` hold: watch-verdicts.sh [ROUNDS [WATCH-OPTION...]]
#
# Ten programs whose sharing is known (test/Watch/Inputs/known.cpp), ROUNDS times
# (10) beside 0, 8 and 30 busy processes: 300 watches. Prints each one that is
# wrong or cannot tell. Exits with 1 when a verdict is wrong, or when more than a
# fifth at loads of 0 or 8 cannot tell. 300 take 20 to 60 minutes.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
rounds=${1:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang++-22 -std=c++20 -O2 -g -pthread "$top/test/Watch/Inputs/known.cpp" -o "$work/known"
PATH="$top/build/bin:$PATH" python3 "$top/test/Watch/Inputs/known.py" "$work/known" \
  --rounds "$rounds" --loads 0,8,30 ${2:+-- "${@:2}"}
