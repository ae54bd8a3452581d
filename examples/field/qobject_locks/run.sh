#!/usr/bin/env bash
# Debian's library is stripped, and its locks are one file's: that file is built from its
# source, with those that it has to be linked with, and the library has the rest.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh" "$@"
install_packages clang-22 lld-22 patch dpkg-dev pkg-config qtbase5-dev qtbase5-dev-tools qtbase5-private-dev

tree=$(bash "$field/../../test/fetch-source.sh" qtbase-opensource-src source)
if [ ! -e patched ]; then
  mkdir -p patched/src/corelib
  cp -r "$tree/src/corelib/kernel" patched/src/corelib/
  patch -s -p1 -d patched <"$here"/*.patch
fi
read -ra flags < <(pkg-config --cflags Qt5Core)
headers=$(dirname "$(dpkg -L qtbase5-private-dev | grep -m 1 /private/qobject_p.h)")
flags+=(-fPIC -I"$(dirname "$(dirname "$headers")")" -I"$(dirname "$headers")" -I"$headers" -I"$tree/mkspecs/linux-g++" -I.)

# What Qt's build generates; without a tracer its trace points are nothing.
echo '#include <QtCore/private/qtrace_p.h>' >qtcore_tracepoints_p.h
moc=$(pkg-config --variable=host_bins Qt5Core)/moc
for header in kernel/qobject global/qnamespace thread/qthread; do
  "$moc" "$tree/src/corelib/$header.h" -o "moc_$(basename "$header").cpp"
done

# object NAME SOURCE
object() {
  clang++-22 -std=c++17 -O2 -g -w -DQT_NO_DEBUG -fdata-sections -ffunction-sections "${flags[@]}" \
    -fpass-plugin="$build/lib/linesman-facts.so" -c "$2" -o "$1"
}
for source in kernel/qmetaobject thread/qthread thread/qthread_unix; do
  object "$(basename "$source").o" "$tree/src/corelib/$source.cpp"
done
# program NAME TREE: what the driver never calls may be hidden in the library
program() {
  object "$1-qobject.o" "$2/src/corelib/kernel/qobject.cpp"
  compile "$1" "$here/driver.cpp" "$1-qobject.o" qmetaobject.o qthread.o qthread_unix.o "${flags[@]}" \
    -ffunction-sections -fuse-ld=lld -Wl,--gc-sections,--unresolved-symbols=ignore-all -lQt5Core
}

say "What shares a line: qobject.cpp as Debian has it"
program driver "$tree"
run linesman layout --filter=_q_ObjectMutexPool --top=1 driver

say "Who is on the line of the locks 40 and 41 while it runs"
run linesman watch --symbol=_q_ObjectMutexPool+320 -- ./driver 8

say "The same with the patch"
program driver-patched patched
run linesman layout --filter=_q_ObjectMutexPool --top=1 driver-patched

say "What it costs: time of an operation while the other thread runs the other one"
for operation in connect sender; do
  compare "$operation" ./driver ./driver-patched
done
