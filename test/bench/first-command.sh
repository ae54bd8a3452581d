#!/usr/bin/env bash
# The README's first command on a clean Debian 12: debootstrap, a clone of this
# checkout, and the time that examples/demo.sh takes there, packages included.
# Needs root, debootstrap and the network; removes all of it.
#   first-command.sh
set -euo pipefail
source=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../..
[ "$(id -u)" -eq 0 ] || { echo "needs root, for chroot" >&2; exit 2; }
work=$(mktemp -d)
root=$work/root
# A mount that stays would be removed with all behind it.
trap 'umount "$root/proc" "$root/dev" 2>/dev/null || true; mountpoint -q "$root/proc" || mountpoint -q "$root/dev" || rm -rf "$work"' EXIT
debootstrap --variant=minbase --include=git,ca-certificates bookworm "$root" >"$work/log"
# Packages come from where this machine has them from.
rm -f "$root/etc/apt/sources.list"
cp -r /etc/apt/sources.list* /etc/apt/trusted.gpg.d /etc/apt/keyrings /etc/apt/apt.conf.d "$root/etc/apt/" 2>/dev/null || true
cp /etc/resolv.conf "$root/etc/"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
git clone -q "$source" "$root/opt/linesman"
start=$SECONDS
chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -c 'cd /opt/linesman && bash examples/demo.sh'
echo "first command: $((SECONDS - start)) s"
