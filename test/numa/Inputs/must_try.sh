. "$INPUTS/inside.sh"

echo "== by hand"
$WORK/must_try strict
$WORK/must_try unwritten
echo always >/sys/kernel/mm/transparent_hugepage/enabled

echo "== start"
on linesman run --prepare --place all=1 -- $WORK/host --then linesman pages PID
on linesman run --prepare --place .bss=interleave -- $WORK/host --then linesman pages PID

echo "== unwritten data"
on $WORK/late --then linesman place PID late_page=1 --then kill -USR1 PID --then linesman pages PID
on linesman run --place late_page=1 -- $WORK/late --then kill -USR1 PID --then linesman pages PID

echo "== fork"
on linesman run -- $WORK/host fork --then linesman place PID written_page=1

echo "== dlopen"
on linesman run -- $WORK/host dlopen $WORK/added.so --then linesman place PID 'added.so!all=1' --then linesman pages PID

echo "== relro"
on linesman run --place all=1 -- $WORK/relro --then linesman pages PID

echo "== outside"
on $WORK/host --then linesman place PID written_page=1 --then linesman place PID quiet_page=1 --then linesman pages PID
on $WORK/static --then linesman place PID written_page=1

echo "== huge"
on linesman run -- $WORK/big --then grep -h AnonHugePages /proc/PID/smaps_rollup --then linesman place PID page:$BIG_PAGE=1 --then linesman pages PID

on linesman run --prepare -- $WORK/big --then linesman place PID page:$BIG_PAGE=1 --then linesman pages PID

echo "== doctor"
on linesman run --prepare --place all=1 -- $WORK/host --then linesman doctor --pid=PID

echo "== full node"
on $WORK/big hog --then bash "$INPUTS/full_node.sh"

echo "== dirty"
on linesman run -- $WORK/host write --then linesman dirty PID --duration 0.3
echo "== end"
