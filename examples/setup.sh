#!/usr/bin/env bash
# The one list of the packages that Linesman needs, and their installation.
# Sourced or run by examples/demo.sh, test/run.sh and .ci/run. Installs only what
# is missing; without root it prints the exact command and stops.
set -euo pipefail

# Building and using Linesman.
build_packages=(
  cmake ninja-build binutils g++ make patch liblzma-dev
  llvm-22-dev libclang-22-dev clang-22 clang-tidy-22 lld-22 llvm-22-tools libclang-rt-22-dev
)
# Testing it: the second LLVM release, the other linkers, GoogleTest, sources to try it
# on, the other architecture, a simulated machine with two NUMA nodes, a browser,
# servers and allocators that must not notice the shim, a second language, headers with
# hazards.
test_packages=(
  llvm-19-dev libclang-19-dev clang-19 clang-tidy-19 lld-19 llvm-19-tools
  mold libgtest-dev clang-format-22 python3 python3-psutil python3-yaml dpkg-dev libevent-dev
  gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
  qemu-system-x86 busybox-static cpio xz-utils
  chromium chromium-driver python3-selenium
  meson ccache fish zsh mkdocs rustc
  memcached redis-server nginx-light libjemalloc2 libtcmalloc-minimal4
  libboost-dev libtbb-dev libeigen3-dev
)
# Measuring it beside what people use today (test/bench/run.sh); bloaty is not in Debian 12.
bench_packages=(pahole)

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s\n' "$package"
  done
}

# install_packages PACKAGE...: a no-op when all are there.
install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    {
      echo "these packages are missing; install them and run this again:"
      echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}"
    } >&2
    exit 1
  fi
  echo "installing: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "installing packages failed" >&2
    exit 1
  fi
  rm -f "$log"
}
