#!/usr/bin/env bash
# Runs a command while disk (below this folder) is full, and while it is
# read-only: how it ended, what it said, and whether the disk is as before.
for free in 0 read-only; do
  name=${free/#0/full}
  status=0
  "$(dirname "$0")/on_disk.sh" "$PWD/disk" "$free" "$@" >said 2>&1 || status=$?
  echo "$name: exit $status"
  cat said
  diff -r disk.before disk.after && echo "$name: as before"
done
