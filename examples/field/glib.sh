# GLib from Debian's source, static, as it is and with the patch of the folder:
# Debian's library is stripped, and its parts cannot be exchanged. Sourced by
# run.sh; sets
#   tree    the folder of the source as it is; "patched" has that with the patch
#   flags   of the compiler, for users of GLib
source "$(dirname "${BASH_SOURCE[0]}")/common.sh" "$@"
install_packages clang-22 gcc meson ninja-build patch python3 pkg-config dpkg-dev \
  libglib2.0-dev libffi-dev libpcre2-dev zlib1g-dev

tree=$(bash "$field/../../test/fetch-source.sh" glib2.0 source)
build_static() {
  ninja -C "$1/static" gobject/libgobject-2.0.a glib/libglib-2.0.a >build.log
}
if [ ! -e "$tree/static" ]; then
  (cd "$tree" && meson setup static --default-library=static --buildtype=release -Dtests=false \
    -Dlibmount=disabled -Dselinux=disabled -Dxattr=false -Dnls=disabled) >build.log
fi
build_static "$tree"
if [ ! -e patched ]; then
  cp -a "$tree" patched
  patch -s -p1 -d patched <"$here"/*.patch
fi
build_static patched
read -ra flags < <(pkg-config --cflags gobject-2.0)

# link NAME TREE: the driver with GLib and GObject of this tree
link() {
  compile "$1" "$here/driver.cpp" "${flags[@]}" "$2/static/gobject/libgobject-2.0.a" \
    "$2/static/glib/libglib-2.0.a" -lffi -lpcre2-8 -lz -lm
}
