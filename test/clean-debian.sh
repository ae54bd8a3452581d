# A Debian 12 with nothing in it but its base, to find out what set-up something
# needs. Sourced; needs root, debootstrap and the network. Sets
#   work    a temporary folder, which is removed at exit with all in it
#   root    the system in it; packages come from where this machine has them from
[ "$(id -u)" -eq 0 ] || {
  echo "needs root, for chroot" >&2
  exit 2
}
work=$(mktemp -d)
root=$work/root

open_system() {
  mount -t proc proc "$root/proc"
  mount --bind /dev "$root/dev"
}
close_system() { umount "$root/proc" "$root/dev" 2>/dev/null || true; }
# A mount that stays would be removed with all behind it.
remove_system() {
  close_system
  grep -q " $work/" /proc/self/mounts || rm -rf "$work"
}
trap remove_system EXIT

debootstrap --variant=minbase bookworm "$root" >"$work/log"
rm -f "$root/etc/apt/sources.list"
cp -r /etc/apt/sources.list* /etc/apt/trusted.gpg.d /etc/apt/keyrings /etc/apt/apt.conf.d "$root/etc/apt/" 2>/dev/null || true
cp /etc/resolv.conf "$root/etc/"
open_system

inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
install() {
  inside apt-get -qq install -y --no-install-recommends "$@" >"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    exit 1
  }
}
# put_package BUILD: the Debian package of this build, as /opt/linesman.deb
put_package() {
  cpack -G DEB -B "$work/package" --config "$1/CPackConfig.cmake" >"$work/log"
  cp "$work"/package/*.deb "$root/opt/linesman.deb"
}
inside apt-get -qq update
