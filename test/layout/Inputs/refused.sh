#!/usr/bin/env bash
# Proves that `linesman layout` refuses: exit 2, nothing on stdout, no output
# file and nothing beside it, in every format. Prints what it said on stderr.
#   refused.sh FOLDER ARGUMENT...
set -euo pipefail
folder=$1
shift
for format in text json; do
  rm -rf "$folder"
  mkdir -p "$folder"
  status=0
  linesman layout --format=$format -o "$folder/report" "$@" >"$folder/stdout" 2>"$folder/stderr" || status=$?
  [ $status = 2 ] || { echo "exit $status, expected 2"; exit 1; }
  [ ! -s "$folder/stdout" ] || { echo "there is something on stdout"; exit 1; }
  [ "$(cd "$folder" && echo *)" = "stderr stdout" ] || { echo "there are files:" "$folder"/*; exit 1; }
done
cat "$folder/stderr"
