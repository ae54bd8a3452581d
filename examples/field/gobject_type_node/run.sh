#!/usr/bin/env bash
# A type is an object of the heap, so facts come from one file of the source.
source "$(dirname "${BASH_SOURCE[0]}")/../glib.sh" "$@"

say "What shares a line: what gtype.c knows about a type"
read_facts() {
  clang-22 -O2 -g -w -DGOBJECT_COMPILATION -fpass-plugin="$build/lib/linesman-facts.so" \
    -I"$1"/static{,/glib,/gobject} -I"$1"{,/glib,/gobject} -c "$1/gobject/gtype.c" -o "$2"
}
read_facts "$tree" gtype.o
run linesman layout --types --filter=_TypeNode --top=1 gtype.o

say "Who is on the line while Debian's library runs"
compile driver-shared "$here/driver.cpp" "${flags[@]}" -lgobject-2.0 -lglib-2.0
run linesman watch '--at=*Shared' -- ./driver-shared 8

say "The same with the patch"
read_facts patched gtype-patched.o
run linesman layout --types --filter=_TypeNode --top=1 gtype-patched.o

say "What it costs: the source built as it is, and with the patch"
link driver "$tree"
link driver-patched patched
for operation in ref-unref new-free; do
  compare "$operation" ./driver ./driver-patched
done
