#!/usr/bin/env bash
# Makes the two-node machine's kernel and initramfs in FOLDER (nothing to do
# when they are there): make-image.sh FOLDER
# The kernel package is unpacked, not installed. The newest 6.12 where the
# distribution has one, because PAGEMAP_SCAN needs 6.7; not the cloud kernel,
# which has no 9p.
set -euo pipefail
folder=$1
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
[ ! "$folder/initrd.gz" -nt "$here/init" ] || exit 0
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

package_of() { apt-cache depends "$1" 2>/dev/null | awk '/Depends: linux-image-[0-9]/ {print $2; exit}'; }
# apt's own user can not enter a private folder; that is only a warning.
download() {
  package=$(package_of linux-image-6.12-amd64)
  [ -n "$package" ] || package=$(package_of linux-image-amd64)
  [ -n "$package" ] && apt-get -qq download "$package" 2>/dev/null
}
# The archive may have a newer kernel than this machine has heard of.
download || { [ "$(id -u)" -eq 0 ] && apt-get -qq update && download; } || {
  echo "apt cannot fetch a linux-image package; try apt-get update" >&2
  exit 1
}
dpkg-deb -x ./*.deb unpacked
cp unpacked/boot/vmlinuz-* "$folder/vmlinuz"

mkdir -p root/{bin,modules,proc,sys,dev,mnt}
cp "$(command -v busybox)" root/bin/busybox
# In the order of their dependencies. What the kernel has built in has no file.
order=(virtio virtio_ring virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci netfs fscache 9pnet 9pnet_virtio 9p)
: >root/modules/order
for module in "${order[@]}"; do
  file=$(find unpacked/ -name "$module.ko*" -print -quit)
  case $file in
  *.xz) xz -dc "$file" >"root/modules/$module.ko" ;;
  *.ko) cp "$file" "root/modules/$module.ko" ;;
  *) continue ;;
  esac
  echo "$module" >>root/modules/order
done
cp "$here/init" root/init
chmod +x root/init
(cd root && find . | cpio --quiet -o -H newc | gzip -1) >"$folder/initrd.tmp"
# Last: its presence says that all is there.
mv "$folder/initrd.tmp" "$folder/initrd.gz"
