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
  options=()
  # Only tests load these: compiling them without optimisation takes half the time.
  if [ "$preset" = llvm19 ]; then options=(-D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_FLAGS_DEBUG=-O0); fi
  cmake --preset "$preset" "${options[@]}" >/dev/null
  cmake --build --preset "$preset"
  case $preset in release) build=build ;; *) build=build/$preset ;; esac
  suites+=("$build/test")
  [ ! -d "$build/test/unit" ] || suites+=("$build/test/unit")
  # Plugins and sanitized programs have nothing to do with memory nodes.
  case $preset in
  release | dev) bash test/numa/make-image.sh "$build/test/numa/vm" || echo "the tests on two memory nodes are skipped" >&2 ;;
  esac
done
# In a log every test has its line, so that one that hangs can be told; it is
# ended, and so is the suite when something outlives that. Two tests more than there
# are processors: one that waits, for another one or for a second to pass, uses none.
style=-v
if [ -t 1 ]; then style=-sv; fi
exec /usr/lib/llvm-22/bin/lit "$style" -j $(($(nproc) + 2)) --time-tests --show-unsupported --timeout=900 --max-time=2400 "${suites[@]}" "$@"
