# confirm.sh TEST PREFIX COMMAND...: what the command prints passes FileCheck.
# A few seconds are enough where the watched threads have a processor each; where
# other tests have them, a thread may not run in that time, and a build with
# sanitizers is slow: one asks again, and gives it longer (--duration).
# Only then: a verdict that is certain and another one than the test's is wrong,
# and is not asked for again until it is right.
test=$1 prefix=$2
shift 2
undecided='cannot[ -]tell|not[ -]seen|watched too briefly|"verdict": "sharing"|the time was too short'
for attempt in 1 2 3 4; do
  words=()
  for word in "$@"; do
    [[ $word == --duration=* ]] &&
      word=--duration=$(awk "BEGIN { print ${word#*=} * $attempt }")
    words+=("$word")
  done
  seen=$("${words[@]}") || { printf '%s\n' "$seen"; exit 1; }
  FileCheck --check-prefix="$prefix" "$test" <<<"$seen" 2>/dev/null && exit 0
  grep -qE "$undecided" <<<"$seen" || break
done
FileCheck --check-prefix="$prefix" "$test" <<<"$seen"
