#!/usr/bin/env bash
# Installs what is missing, builds everything and passes all tests:
#   bash test/run.sh [--preset NAME] [--numa] [LIT OPTION OR TEST PATH...]
# --numa adds the tests in a simulated machine with two NUMA nodes, some minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source examples/setup.sh
install_packages "${build_packages[@]}" "${test_packages[@]}"

presets=(release llvm19)
if [ "${1:-}" = --preset ]; then
  presets=("$2")
  shift 2
fi

options=()
if [ "${1:-}" = --numa ]; then
  shift
  options+=(--param numa=1)
  install_packages "${numa_packages[@]}"
fi

suites=()
for preset in "${presets[@]}"; do
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset"
  case $preset in release) build=build ;; *) build=build/$preset ;; esac
  suites+=("$build/test")
  [ ! -d "$build/test/unit" ] || suites+=("$build/test/unit")
done
if [ ${#options[@]} -gt 0 ]; then
  bash test/numa/make-image.sh build/test/numa/vm
fi
exec /usr/lib/llvm-22/bin/lit -sv --time-tests --show-unsupported "${options[@]}" "${suites[@]}" "$@"
