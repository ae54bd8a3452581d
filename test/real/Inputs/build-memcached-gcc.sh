#!/usr/bin/env bash
# build-memcached-gcc.sh SOURCE OUT: builds SOURCE in a copy with GCC and the flags
# that Debian's packages are built with, and leaves OUT/memcached, with symbols.
set -euo pipefail
source=$1
out=$2
cp -R "$source" "$out"
cd "$out"
# The copy is as new as its sources in any order: nothing is to be regenerated.
touch aclocal.m4
touch configure config.h.in Makefile.in doc/Makefile.in
export DEB_BUILD_MAINT_OPTIONS=hardening=+all # as its debian/rules has it
flag() { dpkg-buildflags --get "$1"; }
{
  ./configure --disable-docs CC=gcc CFLAGS="$(flag CFLAGS)" CPPFLAGS="$(flag CPPFLAGS)" LDFLAGS="$(flag LDFLAGS)"
  make -j2 memcached
} >build.log 2>&1 || {
  tail -n 20 build.log >&2
  exit 1
}
