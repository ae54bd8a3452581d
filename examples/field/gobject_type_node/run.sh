#!/usr/bin/env bash
# Debian's library is stripped, and its types are objects of the heap. So facts come
# from one file of its source, and the cost from a static build of it.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh" "$@"
install_packages clang-22 gcc meson ninja-build patch python3 pkg-config dpkg-dev \
  libglib2.0-dev libffi-dev libpcre2-dev zlib1g-dev

tree=$(bash "$field/../../test/fetch-source.sh" glib2.0 source)
build_gobject() {
  ninja -C "$1/static" gobject/libgobject-2.0.a glib/libglib-2.0.a >build.log
}
if [ ! -e "$tree/static" ]; then
  (cd "$tree" && meson setup static --default-library=static --buildtype=release -Dtests=false \
    -Dlibmount=disabled -Dselinux=disabled -Dxattr=false -Dnls=disabled) >build.log
fi
build_gobject "$tree"
if [ ! -e patched ]; then
  cp -a "$tree" patched
  patch -s -p1 -d patched <"$here"/*.patch
fi
build_gobject patched
flags=$(pkg-config --cflags gobject-2.0)

say "What shares a line: what gtype.c knows about a type"
for folder in "$tree" patched; do
  clang-22 -O2 -g -w -DGOBJECT_COMPILATION -fpass-plugin="$build/lib/linesman-facts.so" \
    -I"$folder"/static{,/glib,/gobject} -I"$folder"{,/glib,/gobject} -c "$folder/gobject/gtype.c" \
    -o "gtype$([ "$folder" = "$tree" ] || echo -patched).o"
done
run linesman layout --types --filter=_TypeNode --top=1 gtype.o

say "Who is on the line while Debian's library runs"
# shellcheck disable=SC2086 # flags are words
compile driver-shared "$here/driver.cpp" $flags -lgobject-2.0 -lglib-2.0
run linesman watch '--at=*Shared' -- ./driver-shared 8

say "The same with the patch"
run linesman layout --types --filter=_TypeNode --top=1 gtype-patched.o

say "What it costs: the source built as it is, and with the patch"
# link NAME TREE: the driver with GObject of this tree
link() {
  # shellcheck disable=SC2086
  compile "$1" "$here/driver.cpp" $flags "$2/static/gobject/libgobject-2.0.a" "$2/static/glib/libglib-2.0.a" \
    -lffi -lpcre2-8 -lz -lm
}
link driver "$tree"
link driver-patched patched
for operation in ref-unref new-free; do
  compare "$operation" ./driver ./driver-patched
done
