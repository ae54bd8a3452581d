# Stops process $1 while it is watched through ptrace, and lets it go on.
source "$(dirname "$0")/await.sh"
watch=(linesman watch --pid "$1" --symbol Shared --duration=1000 --instrument=ptrace)
used() { awk '{print $14}' /proc/"$1"/stat; }
has_used() { [ "$(used "$1")" -ge "$2" ]; }
look() { for ((i = 0; i < $2; ++i)); do grep -q '^State' /proc/"$1"/status; done; }

"${watch[@]}" &
watcher=$!
await is_traced "$1"
# It is stopped when it uses no time, where it used two processors before:
# threads are also stopped for a moment when their registers change.
kill -STOP "$1"
for ((try = 0; try < 50; ++try)); do
  before=$(used "$1")
  look "$1" 20
  [ "$(used "$1")" != "$before" ] || break
done
# It stays so, whatever the watcher does.
look "$1" 200
[ "$(used "$1")" = "$before" ] || echo "it ran although it was stopped"
kill -CONT "$1"
# It goes on, and is watched again.
before=$(used "$1")
await has_used "$1" $((before + 100))
kill -TERM "$watcher"
wait "$watcher"

# Detaching does not wake a stopped process either: every thread gets back into
# its stop. One with a hit on its way stays traced until it goes on.
"${watch[@]}" >/dev/null &
watcher=$!
await is_traced "$1"
kill -STOP "$1"
kill -TERM "$watcher"
wait "$watcher"
for ((try = 0; try < 1000; ++try)); do
  is_free "$1" && stops=T || stops=Tt
  stopped=$(grep -h "^State:.[$stops] " /proc/"$1"/task/*/status | wc -l)
  [ "$stopped" != 3 ] || break
done
echo "stopped threads: $stopped"
kill -CONT "$1"
await is_free "$1"
