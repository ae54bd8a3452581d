#!/usr/bin/env bash
# Proves that `linesman relink` refuses: exit 2, nothing on stdout, the old output
# as it was and nothing left beside it or in the temporary folder. Prints what it
# said on stderr.
#   refused.sh FOLDER ARGUMENT...
set -euo pipefail
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder/out" "$folder/tmp"
echo "the old output" >"$folder/out/program"
status=0
TMPDIR="$folder/tmp" linesman relink -o "$folder/out/program" "$@" >"$folder/stdout" 2>"$folder/stderr" || status=$?
[ $status = 2 ] || { echo "exit $status, expected 2"; exit 1; }
[ ! -s "$folder/stdout" ] || { echo "there is something on stdout"; exit 1; }
[ "$(cat "$folder/out/program")" = "the old output" ] || { echo "the old output has changed"; exit 1; }
[ "$(ls -A "$folder/out" "$folder/tmp" | grep -v :)" = program ] || { echo "files are left"; ls -AR "$folder"; exit 1; }
cat "$folder/stderr"
