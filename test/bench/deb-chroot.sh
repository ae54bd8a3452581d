#!/usr/bin/env bash
# The Debian package on a clean Debian 12: debootstrap, apt-get install of the
# .deb, and the demo's main job there with what was installed (compile, layout,
# relink, layout). Needs root, debootstrap and the network; removes all of it.
#   deb-chroot.sh [BUILD]
set -euo pipefail
build=$(realpath "${1:-build}")
source=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../..
[ "$(id -u)" -eq 0 ] || { echo "needs root, for chroot" >&2; exit 2; }
work=$(mktemp -d)
root=$work/root
# A mount that stays would be removed with all behind it.
trap 'umount "$root/proc" 2>/dev/null || true; mountpoint -q "$root/proc" || rm -rf "$work"' EXIT
debootstrap --variant=minbase bookworm "$root" >"$work/log"
# Packages come from where this machine has them from.
rm -f "$root/etc/apt/sources.list"
cp -r /etc/apt/sources.list* /etc/apt/trusted.gpg.d /etc/apt/keyrings /etc/apt/apt.conf.d "$root/etc/apt/" 2>/dev/null || true
cp /etc/resolv.conf "$root/etc/"
mount -t proc proc "$root/proc"
cpack -G DEB -B "$work/package" --config "$build/CPackConfig.cmake" >"$work/log"
cp "$work"/package/*.deb "$root/opt/linesman.deb"
cp -r "$source/examples/nil_root" "$root/opt/"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
inside apt-get -qq update
# Only what the package asks for, and a C++ library to compile with.
inside apt-get -qq install -y --no-install-recommends /opt/linesman.deb >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
inside linesman --version
inside linesman explain phase
# shellcheck disable=SC2016
inside apt-get -qq install -y --no-install-recommends clang-22 lld-22 libstdc++-12-dev binutils >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
inside bash -euc 'cd /opt/nil_root
for unit in *.cpp; do clang++-22 -std=c++17 -O2 -g -fdata-sections -fpass-plugin=/usr/lib/linesman-facts.so -c "$unit"; done
clang++-22 -pthread *.o -o store
linesman layout store | tee before | head -n 3
grep -q nil_root before
linesman relink --isolate "store::Node<unsigned long>::nil_root" -o apart -- clang++-22 -pthread *.o -o store
linesman layout apart | grep -q true-sharing
linesman findings --binary=store --format=text --fail-on=located >/dev/null && exit 1
echo "the package runs on a clean system"'
