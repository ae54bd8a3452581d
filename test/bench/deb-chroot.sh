#!/usr/bin/env bash
# The Debian package on a clean Debian 12: debootstrap, apt-get install of the
# .deb, and the demo's main job there with what was installed (compile, layout,
# relink, layout). Needs root, debootstrap and the network; removes all of it.
#   deb-chroot.sh [BUILD]
set -euo pipefail
build=$(realpath "${1:-build}")
source=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../..
source "$source/test/clean-debian.sh"
put_package "$build"
cp -r "$source"/examples/{nil_root,threads.h} "$root/opt/"
# Only what the package asks for, and a C++ library to compile with.
install /opt/linesman.deb
inside linesman --version
inside linesman explain phase
install clang-22 lld-22 libstdc++-12-dev binutils
# shellcheck disable=SC2016
inside bash -euc 'cd /opt/nil_root
for unit in *.cpp; do clang++-22 -std=c++17 -O2 -g -fdata-sections -fpass-plugin=/usr/lib/linesman-facts.so -c "$unit"; done
clang++-22 -pthread *.o -o store
linesman layout store | tee before | head -n 3
grep -q nil_root before
linesman relink --isolate "store::Node<unsigned long>::nil_root" -o apart -- clang++-22 -pthread *.o -o store
linesman layout apart | grep -q true-sharing
linesman findings --binary=store --format=text --fail-on=located >/dev/null && exit 1
echo "the package runs on a clean system"'
