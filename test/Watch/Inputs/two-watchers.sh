# One watcher holds the registers of process $1 while another one tries; then
# the first is killed, and a third one must find everything free. The others use
# the options that follow.
source "$(dirname "$0")/await.sh"
linesman watch --pid "$1" --symbol Shared --duration 1000 >/dev/null &
first=$!
# Until the first one has its watchpoints: its descriptors are perf events.
has_events() { ls -l "/proc/$1/fd" | grep -q perf_event; }
await has_events "$first"
status=0
for try in 1 2 3 4 5; do
  linesman watch --pid "$1" --symbol Shared --duration 0.1 "${@:2}" >/dev/null && continue
  status=2
  break
done
kill -KILL "$first"
wait "$first"
echo "after the kill"
linesman watch --pid "$1" --symbol Shared "${@:2}"
exit "$status"
