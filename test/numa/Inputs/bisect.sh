. "$INPUTS/inside.sh"
live="linesman bisect --match=ops.([0-9.]+) --live=1 --simulated"

echo "== symbol"
$live --link-command $WORK/link.txt --log a.log -- env LINESMAN_TEST=1 $WORK/oracle live seed=4 noise=5 flips=5 2>&1
echo "== neighbours"
$live --captured oracle --links $WORK/links --log b.log -- $WORK/oracle live seed=7 neighbours=1 2>&1
# The same result from its log.
$live --captured oracle --links $WORK/links --resume --log b.log --format=json -- $WORK/oracle live seed=7 neighbours=1 2>/dev/null
# The log of its symbols is there, and known before the search; the program may
# have begun to write by then.
rm b.log
$live --captured oracle --links $WORK/links --log b.log -- $WORK/oracle live seed=7 neighbours=1 2>&1 | grep -v culprit
ls b.log 2>&1
echo "== two"
$live --dirty=0.1 --link-command $WORK/link.txt --log c.log -- $WORK/oracle live seed=3 culprits=2 2>&1

echo "== written"
# What was written is in the log's first line, and is not watched again.
head -n 1 c.log
# The rest of the search is done again.
cp c.log whole.log
head -n 55 whole.log >c.log
$live --dirty=0.1 --resume --link-command $WORK/link.txt --format=json --log c.log -- $WORK/oracle live seed=3 culprits=2 2>/dev/null
sed '1s/ [^ ]*$/ 0-999999/' whole.log >cut.log
$live --dirty=0.1 --resume --log cut.log -- $WORK/oracle live seed=3 culprits=2 2>&1

echo "== exit code"
# Each process has addresses of its own.
echo 2 >/proc/sys/kernel/randomize_va_space
linesman bisect --simulated --log d.log --format=json -- $WORK/oracle once seed=5 2>&1
echo 0 >/proc/sys/kernel/randomize_va_space

echo "== output"
# A process for each window, whose last number counts.
linesman bisect --match='[0-9.]*' --simulated --log i.log -- $WORK/oracle number seed=8 2>&1
echo "== probe"
# linesman starts the process, and a command says whether it is good.
linesman bisect --dirty=0.1 --probe 'sleep 0.3; tail -n 1 probed | grep -q "ops 10000"' --simulated --program $WORK/oracle --log j.log -- bash -c "exec $WORK/oracle slow seed=10 >probed" 2>&1

echo "== time"
# Bad windows take longer: the program's verdict decides about a pause. One in
# some windows is skipped.
cat >timed.sh <<'TIMED'
$WORK/oracle once seed=6 >/dev/null 2>&1 || sleep 2
read -r n 2>/dev/null <count || n=0
echo $((n + 1)) >count
[ $n != 4 ] || exit 125
TIMED
export WORK
linesman bisect --metric=time --candidates 0x18000-0x1c000 --simulated --program $WORK/oracle --log e.log -- bash timed.sh 2>&1

echo "== outside"
echo 1 >/proc/sys/kernel/numa_balancing
$WORK/oracle slow seed=9 >out 2>/dev/null &
oracle=$!
while ! grep -q ops out; do :; done
linesman bisect --pid $oracle --probe 'sleep 0.3; tail -n 3 out' --match 'ops.([0-9.]+)' --simulated --candidates .bss --log f.log 2>&1
kill $oracle
echo 0 >/proc/sys/kernel/numa_balancing

echo "== resume"
cat >stops.sh <<'STOPS'
read -r n 2>/dev/null <stops || n=0
echo $((n + 1)) >stops
[ $n != 15 ] || exit 200
exec $WORK/oracle once seed=11
STOPS
again="linesman bisect --simulated --program $WORK/oracle --log interrupted.log"
$again -- bash stops.sh 2>&1 | grep -v culprit
echo "$(wc -l <interrupted.log) lines"
$again -- bash stops.sh 2>&1 | grep -v culprit
$again --resume -- bash ./stops.sh 2>&1 | grep -v culprit
ln -s interrupted.log link.log
again="linesman bisect --simulated --program $WORK/oracle --log link.log"
$again --resume -- bash stops.sh 2>&1 | grep -v culprit
ls -A | grep '[.]tmp$'
[ -L link.log ] && echo "$(($(wc -l <interrupted.log) > 15)): the link stays, and what is behind it grows"

echo "== no effect"
$live --candidates page:0x7000 --log g.log -- $WORK/oracle live seed=1 culprits=0 2>&1
echo "== end"
