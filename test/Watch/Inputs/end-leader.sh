# Ends the main thread of process $1 while it is watched by instrument $2, and
# watches what is left of it: test $3 says by prefix $4 what must come of that.
source "$(dirname "$0")/await.sh"
watch=(linesman watch --pid "$1" --symbol Shared --instrument="$2")
"${watch[@]}" --duration=2 &
watcher=$!
# More than the canary's: its watchpoints, or a guardian.
is_watched() { is_traced "$1" || [ "$(ls -l "/proc/$2/fd" | grep -c perf_event)" -gt 4 ]; }
await is_watched "$1" "$watcher"
kill -USR1 "$1"
wait "$watcher"
grep ^State "/proc/$1/status"
bash "$(dirname "$0")/confirm.sh" "$3" "$4" "${watch[@]}"
