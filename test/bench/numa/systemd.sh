#!/usr/bin/env bash
# The drop-in of docs/cli.md under systemd itself, which runs as the first process
# of a PID namespace in the two-node machine: a service with a filter that kills
# for mbind, PrivateTmp and a read-only system. Takes about 2 minutes.
# systemd.sh [BUILD]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
build=$(cd "${1:-build}" && pwd)
image=$build/test/numa/vm
work=$build/test/numa/systemd
bash test/numa/make-image.sh "$image"
rm -rf "$work" && mkdir -p "$work"
# test/numa/Inputs/late.c, but for a standard input that is /dev/null.
clang-22 -O1 -g -x c - -o "$work/late" <<'C'
#include <signal.h>
#include <unistd.h>
_Alignas(4096) volatile char late_page[4096] = {1};
_Alignas(4096) char after[4096] = {1};
static void write_it(int number) { late_page[0] = (char)number; }
int main(void) {
  char byte = late_page[0];
  signal(SIGUSR1, write_it);
  while (byte)
    pause();
}
C
# What the document says, with the shim of this build.
sed -n '/^\[Service\]$/,/^```$/p' docs/cli.md | sed '/^```$/,$d' | sed "s,/usr/local/lib/liblinesman-shim.so,$build/lib/liblinesman-shim.so," >"$work/dropin.conf"
grep -q LD_PRELOAD "$work/dropin.conf"
cat >"$work/script.sh" <<SCRIPT
cd /tmp
export PATH='$build/bin':\$PATH
mount -t cgroup2 cgroup2 /sys/fs/cgroup 2>/dev/null
mount -t tmpfs run /run
units=/run/systemd/system
mkdir -p \$units
service() { # NAME
  cp '$work/late' /run/\$1
  cat >\$units/\$1.service <<UNIT
[Unit]
DefaultDependencies=no
[Service]
ExecStart=/run/\$1
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=strict
UNIT
}
service plain; service held; service unfiltered
mkdir \$units/held.service.d \$units/unfiltered.service.d
cp '$work/dropin.conf' \$units/held.service.d/linesman.conf
grep -v SystemCallFilter '$work/dropin.conf' >\$units/unfiltered.service.d/linesman.conf
cat >\$units/try.target <<UNIT
[Unit]
DefaultDependencies=no
Wants=plain.service held.service unfiltered.service
UNIT
env container=linesman unshare --pid --fork --mount --mount-proc /lib/systemd/systemd --system --unit=try.target --log-target=console --log-level=warning >log 2>&1 &
for name in plain held unfiltered; do
  for try in \$(seq 300); do
    pid=\$(pidof -s \$name) || true
    [ -n "\$pid" ] && break
    sleep 0.2
  done
  echo "== \$name"
  [ -n "\$pid" ] || { echo "not running"; cat log; continue; }
  sleep 1
  grep -h Seccomp: /proc/\$pid/status
  [ "\$(readlink /proc/\$pid/ns/mnt)" != "\$(readlink /proc/1/ns/mnt)" ] && echo "mounts of its own"
  linesman pages \$pid 2>&1 | grep late_page
done
echo "== moved from outside"
linesman place \$(pidof -s held) late_page=1 2>&1
kill -USR1 \$(pidof -s held)
linesman pages \$(pidof -s held) 2>&1 | grep late_page
echo "== end"
SCRIPT
bash test/numa/vm.sh "$image" "$work/script.sh" | tee "$work/result.txt"
FileCheck-22 --input-file="$work/result.txt" test/bench/numa/systemd.sh

# CHECK: == plain
# CHECK-NEXT: Seccomp: 2
# CHECK-NEXT: mounts of its own
# CHECK-NEXT: page cache: not written here yet late_page
# CHECK: == held
# CHECK-NEXT: Seccomp: 2
# CHECK-NEXT: mounts of its own
# CHECK-NEXT: node {{[01]}} late_page
# CHECK: == unfiltered
# CHECK-NEXT: Seccomp: 2
# CHECK-NEXT: mounts of its own
# CHECK-NEXT: node {{[01]}} late_page
# CHECK: == moved from outside
# CHECK-NEXT: late_page: 1 page on node 1
# CHECK-NEXT: node 1 late_page
# CHECK: == end
