. "$INPUTS/inside.sh"

echo "== doctor"
taskset 3 linesman doctor --measure 2>&1

echo "== balancing"
echo 1 >/proc/sys/kernel/numa_balancing
$WORK/must_try balancing
$WORK/must_try balancing-policy
linesman run --hold -- $WORK/must_try balancing 8
on $WORK/host --then linesman place PID written_page=1
echo 0 >/proc/sys/kernel/numa_balancing

echo "== end"
