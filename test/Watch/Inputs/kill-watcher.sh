# Kills a watcher of process $1 in the middle of its work, several times; every
# time the guardian must let the process go.
source "$(dirname "$0")/await.sh"
for try in 1 2 3 4 5; do
  linesman watch --pid "$1" --symbol Shared --duration 1000 --instrument=ptrace >/dev/null 2>&1 &
  watcher=$!
  # Every thread is traced from its first registers on.
  await is_traced "$1"
  for ((wait = 0; wait < try * 20; ++wait)); do
    grep -q TracerPid /proc/"$1"/status
  done
  kill -KILL "$watcher"
  wait "$watcher" 2>/dev/null
  await is_free "$1"
done
echo "killed $try times"
