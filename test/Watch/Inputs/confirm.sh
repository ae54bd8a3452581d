# confirm.sh TEST PREFIX COMMAND...: what the command prints passes FileCheck.
# A few seconds are enough where the watched threads have a processor each; where
# other tests have them, a thread may not run in that time, and one asks again.
test=$1 prefix=$2
shift 2
for attempt in 1 2 3 4; do
  seen=$("$@") || { printf '%s\n' "$seen"; exit 1; }
  FileCheck --check-prefix="$prefix" "$test" <<<"$seen" 2>/dev/null && exit 0
done
FileCheck --check-prefix="$prefix" "$test" <<<"$seen"
