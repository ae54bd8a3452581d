#!/usr/bin/env bash
# Found and seen in Debian's library, whose exports name what stands on the line.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh" "$@"
install_packages clang-22 g++ cmake make patch dpkg-dev libtcmalloc-minimal4

say "What shares a line in Debian's stripped library"
library=$(readlink -f "$(ldconfig -p | sed -n 's/.*libtcmalloc_minimal.so.4 (.*x86-64.* => //p' | head -n 1)")
run linesman layout --filter='Static::pageheap_lock_$' --top=1 "$library"

say "Who is on the line while it runs"
compile driver-shared "$here/driver.cpp" "$library"
run linesman watch --symbol="$(basename "$library"):tcmalloc::Static::inited_" --duration=10 -- ./driver-shared 12

say "What it costs: the source built as it is, and with the patch"
tree=$(bash "$field/../../test/fetch-source.sh" google-perftools source)
if [ ! -e patched ]; then
  cp -a "$tree" patched
  patch -s -p1 -d patched <"$here"/*.patch
fi
for folder in "$tree" patched; do
  [ -e "built-$(basename "$folder")/libtcmalloc_minimal.so" ] || {
    cmake -S "$folder" -B "built-$(basename "$folder")" -DCMAKE_BUILD_TYPE=Release -Dgperftools_build_minimal=ON \
      -DGPERFTOOLS_BUILD_STATIC=OFF -DBUILD_TESTING=OFF
    make -C "built-$(basename "$folder")" tcmalloc_minimal
  } >build.log 2>&1
done
link() { compile "$1" "$here/driver.cpp" "$2/libtcmalloc_minimal.so" "-Wl,-rpath,$2"; }
link driver "$out/built-$(basename "$tree")"
link driver-patched "$out/built-patched"
for operation in free large; do
  compare "$operation" ./driver ./driver-patched
done
