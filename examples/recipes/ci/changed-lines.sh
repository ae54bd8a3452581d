#!/usr/bin/env bash
# The checks on the lines that changed since a revision: as a pre-commit hook
# (ln -s ../../examples/recipes/ci/changed-lines.sh .git/hooks/pre-commit) those
# that are staged, in CI those of the branch: changed-lines.sh origin/main
#
# LINESMAN_TIDY is the plugin, CLANG_TIDY the clang-tidy of its release, and
# CLANG_TIDY_DIFF its script; flags of the compiler come from
# compile_commands.json in BUILD.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
tidy=${CLANG_TIDY:-clang-tidy-22}
plugin=${LINESMAN_TIDY:-/usr/lib/linesman-tidy.so}
script=${CLANG_TIDY_DIFF:-/usr/lib/llvm-22/share/clang/clang-tidy-diff.py}
build=${BUILD:-build}

# A plugin that does not load finds nothing: prove that it does.
canary=$(mktemp --suffix=.cpp)
trap 'rm -f "$canary"' EXIT
printf 'static long written;\nvoid write() { written = 1; }\n' >"$canary"
said=$("$tidy" --load="$plugin" --config='{}' --checks='-*,linesman-write-only-global' "$canary" -- 2>&1) || true
if [[ $said != *"[linesman-write-only-global]"* ]]; then
  echo "changed-lines.sh: the checks do not run: $tidy with $plugin: $said" >&2
  exit 2
fi

if [ $# -gt 0 ]; then since=("$1...HEAD"); else since=(--cached); fi
changes=$(git diff -U0 "${since[@]}" -- '*.c' '*.cc' '*.cpp' '*.cxx' '*.h' '*.hpp')
[ -n "$changes" ] || exit 0
if [ ! -f "$build/compile_commands.json" ]; then
  echo "changed-lines.sh: $build/compile_commands.json is not there; CMake makes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON" >&2
  exit 2
fi
# A finding is an exit code.
python3 "$script" -p1 -path "$build" -clang-tidy-binary "$tidy" -load "$plugin" \
  -checks='-*,linesman-*' -quiet -warnings-as-errors '*' <<<"$changes"
