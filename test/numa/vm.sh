#!/usr/bin/env bash
# Runs a bash script in a machine with two NUMA nodes, one processor each,
# simulated without acceleration; the script sees the host's file system
# read-only and an empty /tmp: vm.sh IMAGE_FOLDER SCRIPT
# Addresses are not random there (norandmaps): emulated code is kept by its address, and
# linesman starts in 0.5 s in place of 1.8. A script that wants them random writes 2 to
# /proc/sys/kernel/randomize_va_space. A fifth level of page tables and protections of the
# kernel are left out: each would be emulated.
# With VM_PROCESSORS=1 the second node has memory only. That is faster on a busy host,
# where one simulated processor waits long for the other.
# Its output is the script's, its exit code too. Pages really move there; nothing
# gets slower by it.
set -euo pipefail
image=$1
script=$(realpath "$2")
checkout=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
processors=${VM_PROCESSORS:-2}
# Small, so that a program can fill it.
second_node=memdev=m1
[ "$processors" -eq 1 ] || second_node=cpus=1,$second_node
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# A busy host is late with the timer that the kernel tries (no_timer_check).
# The bound is for a machine that hangs; a boot takes about 8 s, the longest test
# took 9 minutes on two processors that 15 other programs wanted.
run_machine() {
  timeout "${VM_SECONDS:-1200}" qemu-system-x86_64 -accel tcg,thread=multi -cpu max,la57=off,smap=off,smep=off,pku=off -m 1024 -smp "$processors" \
    -object memory-backend-ram,id=m0,size=768M -object memory-backend-ram,id=m1,size=256M \
    -numa node,nodeid=0,cpus=0,memdev=m0 -numa node,nodeid=1,$second_node \
    -kernel "$image/vmlinuz" -initrd "$image/initrd.gz" \
    -append "console=ttyS0 quiet panic=-1 no_timer_check norandmaps numa_balancing=disable linesman.command=$script linesman.checkout=$checkout" \
    -nographic -no-reboot \
    -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
    </dev/null >"$log" 2>&1 || { tail -n 30 "$log" >&2; echo "vm.sh: the machine failed" >&2; exit 3; }
}

# Seldom the kernel changes its own code on one emulated processor while the
# other one runs it, and panics; that is no answer of the script's.
run_machine
for _ in 1 2; do
  grep -q 'Kernel panic' "$log" || break
  echo "vm.sh: the kernel panicked; once more" >&2
  run_machine
done
tr -d '\r' <"$log" | awk '/vm: begin$/ {on = 1; next} /^vm: exit / {code = $3; seen = 1; exit} on {print} END {exit seen ? code : 3}' || {
  code=$?
  [ "$code" -ne 3 ] || { tr -d '\r' <"$log" | tail -n 30 >&2; echo "vm.sh: the machine did not finish" >&2; }
  exit "$code"
}
