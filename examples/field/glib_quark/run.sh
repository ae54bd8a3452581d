#!/usr/bin/env bash
# Found and seen in Debian's library, which is stripped: the number of quarks is the
# word that g_quark_to_string reads first.
source "$(dirname "${BASH_SOURCE[0]}")/../glib.sh" "$@"

say "What shares a line in Debian's stripped library"
library=$(readlink -f "$(ldconfig -p | sed -n 's/.*libglib-2.0.so.0 (.*x86-64.* => //p' | head -n 1)")
place=$(linesman layout --format=json "$library" | python3 -c '
import json, sys
print(next(part["name"] for finding in json.load(sys.stdin)["findings"] for part in finding["occupants"]
           if any(site["function"] == "g_quark_to_string" for site in part["sites"])))')
run linesman layout --filter="\\${place/+/\\+}\$" --top=1 "$library"

say "Who is on the line while it runs"
compile driver-shared "$here/driver.cpp" "${flags[@]}" -lglib-2.0
run linesman watch --symbol="$(basename "$library"):$place" -- ./driver-shared 8

say "What it costs: the source built as it is, and with the patch"
link driver "$tree"
link driver-patched patched
for operation in to-string from-string; do
  compare "$operation" ./driver ./driver-patched
done
