#!/usr/bin/env bash
# Installs what is missing, builds everything and passes all tests:
#   bash test/run.sh [--preset NAME] [LIT OPTION OR TEST PATH...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source examples/setup.sh
install_packages "${build_packages[@]}" "${test_packages[@]}"

presets=(release llvm19)
if [ "${1:-}" = --preset ]; then
  presets=("$2")
  shift 2
fi

suites=()
for preset in "${presets[@]}"; do
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset"
  case $preset in release) build=build ;; *) build=build/$preset ;; esac
  suites+=("$build/test")
  [ ! -d "$build/test/unit" ] || suites+=("$build/test/unit")
done
# The machine with two NUMA nodes; without it its tests are skipped, and said so.
if [ -d build ]; then
  bash test/numa/make-image.sh build/test/numa/vm || echo "no two-node machine: its kernel could not be made" >&2
fi
exec /usr/lib/llvm-22/bin/lit -sv --time-tests --show-unsupported "${suites[@]}" "$@"
