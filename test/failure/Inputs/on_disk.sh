#!/usr/bin/env bash
# Runs a command with a file system that nobody else sees:
# on_disk.sh FOLDER FREE COMMAND... It is FOLDER, begins with what FOLDER.before
# holds, and has FREE more pages of 4096 bytes, or is read-only where FREE is
# "read-only". What is in it at the end is in FOLDER.after. Exits as COMMAND did.
set -euo pipefail
folder=$1 free=$2
shift 2
if [ "${INSIDE:-}" != yes ]; then
  INSIDE=yes exec unshare --mount --propagation private "$0" "$folder" "$free" "$@"
fi
unset INSIDE
mkdir -p "$folder" "$folder.before"
mount -t tmpfs none "$folder"
cp -a "$folder.before/." "$folder"
if [ "$free" = read-only ]; then
  mount -o remount,ro "$folder"
else
  used=$(df --output=used -k "$folder" | tail -1)
  mount -o "remount,size=$((used + 4 * free + 4))k" "$folder"
  dd if=/dev/zero of="$folder/other" bs=4096 count=1 status=none
fi
status=0
"$@" || status=$?
rm -rf "$folder.after"
cp -a "$folder" "$folder.after"
rm -f "$folder.after/other"
exit "$status"
