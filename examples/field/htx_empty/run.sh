#!/usr/bin/env bash
# Debian's haproxy as it is, stripped, for what is found and seen; its source, for the cost.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh" "$@"
install_packages clang-22 patch python3 dpkg-dev haproxy

say "What shares a line in Debian's stripped binary"
haproxy=$(command -v haproxy)
run linesman layout --top=1 "$haproxy"

say "Who is on the line while it serves"
haproxy -db -f "$here/haproxy.cfg" &
server=$!
trap 'kill $server 2>/dev/null' EXIT
python3 "$here/load.py" 20 &
run linesman watch --pid "$server" --symbol=htx_empty --duration=15
wait $!
kill $server
trap - EXIT

say "The source, as it is and with the patch; what its functions do to a stream without a buffer"
tree=$(bash "$field/../../test/fetch-source.sh" haproxy source)
# build NAME TREE: the driver with htx.h and htx.c of this tree
build() {
  local flags=(-O2 -g -w -fwrapv -fdata-sections -DUSE_THREAD -I"$2/include" -fpass-plugin="$build/lib/linesman-facts.so")
  clang-22 "${flags[@]}" -c "$here/buffer.c" -o "$1-buffer.o"
  clang-22 "${flags[@]}" -ffunction-sections -c "$2/src/htx.c" -o "$1-htx.o"
  compile "$1" "$here/driver.cpp" "$1-buffer.o" "$1-htx.o" -Wl,--gc-sections
}
build driver "$tree"
rm -rf patched
cp -r "$tree" patched
patch -s -p1 -d patched <"$here"/*.patch
build driver-patched patched
for program in driver driver-patched; do
  run linesman layout --filter=htx_empty --top=1 "$program"
done

say "What it costs: time of an operation while the other thread runs the other one"
for operation in take-give-back other; do
  compare "$operation" ./driver ./driver-patched
done
