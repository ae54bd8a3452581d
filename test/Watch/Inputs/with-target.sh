#!/usr/bin/env bash
# Runs a command on a live process: with-target.sh PROGRAM... -- COMMAND...
# PROGRAM prints "ready" when it is at work and runs until its standard input
# closes; {PID} in COMMAND becomes its process number. Prints how the program
# ended, because watching must not harm it, and exits as COMMAND did. Both are
# killed when they do not end: whoever reads our output waits for both.
set -uo pipefail
program=()
while [ "$1" != -- ]; do
  program+=("$1")
  shift
done
shift
coproc TARGET { exec "${program[@]}"; }
pid=$TARGET_PID
# Copies, because a coprocess's own descriptors are closed in subshells; nobody
# but this shell may hold the input, or it would never close.
exec {output}<&"${TARGET[0]}" {input}>&"${TARGET[1]}"
eval "exec ${TARGET[0]}<&- ${TARGET[1]}>&-"
read -r -t 60 -u "$output" _ || echo "target is not ready"
# What the program prints after that must not fill the pipe.
cat <&"$output" >/dev/null {input}>&- &
status=0
timeout -k 5 120 "${@//\{PID\}/$pid}" {input}>&- {output}<&- || status=$?
exec {input}>&-
end=$((SECONDS + 60))
while kill -0 "$pid" 2>/dev/null; do
  [ "$SECONDS" -lt "$end" ] && continue
  echo "target did not end"
  kill -KILL "$pid"
  break
done
ended=0
wait "$pid" || ended=$?
echo "target ended with $ended"
exit "$status"
