#!/usr/bin/env bash
# build-memcached.sh SOURCE OUT CLANG [FLAG...]: builds SOURCE in a copy, and
# leaves OUT/memcached. As Debian optimises it, with debug info, without the
# options that need more libraries (SASL, TLS).
set -euo pipefail
source=$1
out=$2
compiler=$3
shift 3
cp -R "$source" "$out"
cd "$out"
# The copy is as new as its sources in any order: nothing is to be regenerated.
touch aclocal.m4
touch configure config.h.in Makefile.in doc/Makefile.in
{
  ./configure --disable-docs CC="$compiler" CFLAGS="-O2 -g $*" LDFLAGS="-fuse-ld=lld -Wl,--build-id=none"
  make -j2 memcached
} >build.log 2>&1 || {
  tail -n 20 build.log >&2
  exit 1
}
