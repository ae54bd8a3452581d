#!/usr/bin/env bash
# Watches each expression on a live process for a moment: each-at.sh PID EXPR...
# An EXPR may be followed by "|T::field", and may be an address (0x...). Prints the line's address and subject,
# or the error.
pid=$1
shift
for choice; do
  type=()
  [[ $choice == *'|'* ]] && type=(--type "${choice#*|}")
  place=--at
  [[ $choice == 0x* ]] && place=--address
  echo "try $choice"
  linesman watch --pid "$pid" "$place" "${choice%%|*}" "${type[@]}" --duration=0.01 --format=json 2>&1 |
    sed -n 's/.*\("address": "0x[0-9a-f]*"\).*/\1/p; s/.*\("id": .*\),/\1/p; s/.*error: /error: /p'
done
