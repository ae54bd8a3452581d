#!/usr/bin/env bash
# no_memory.sh PROGRAM: runs it with and without the shim in ever more address
# space, and compares what is seen.
tries=0 same=0
seen=
for kilobytes in 1000 2200 2400 2500 2600 2700 2800 3000 3500 5000 10000 300000; do
  plain=$(prlimit --as=$((kilobytes << 10)) "$1" 2>/dev/null; echo $?)
  for options in "" --prepare "--prepare --hold"; do
    tries=$((tries + 1))
    # shellcheck disable=SC2086
    guest=$(linesman run $options -- prlimit --as=$((kilobytes << 10)) "$1" 2>/dev/null; echo $?)
    if [ "$plain" = "$guest" ]; then same=$((same + 1)); else echo "$kilobytes KiB $options: $plain, with the shim $guest"; fi
  done
  case $plain in
  *"with memory"*) outcome="ran with it" ;;
  *"without memory"*) outcome="ran without memory" ;;
  *) outcome="could not start" ;;
  esac
  [[ ", $seen" = *", $outcome" ]] || seen+="${seen:+, }$outcome"
done
echo "same in $same of $tries"
echo "$seen"
