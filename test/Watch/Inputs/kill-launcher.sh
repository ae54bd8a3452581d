# Ends linesman by a signal while it waits for the program that it has started;
# the program must end with it: kill-launcher.sh SIGNAL PROGRAM.
source "$(dirname "$0")/await.sh"
# A job in the background reads nothing unless it is told to.
linesman watch --at 'Null->Next' --wait=1000 -- "$2" <&0 &
watcher=$!
started() { program=$(<"/proc/$watcher/task/$watcher/children") && [ -n "$program" ]; }
is_over() { [ ! -e "/proc/${program% }" ]; }
await started
kill -"$1" "$watcher"
wait "$watcher"
await is_over
echo "over after SIG$1"
