#!/usr/bin/env bash
# Debian's library is stripped, and its method is an object of the heap. So facts about
# its type come from one file of its source, and what is watched is an address.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh" "$@"
install_packages clang-22 gcc make patch perl dpkg-dev libssl-dev

tree=$(bash "$field/../../test/fetch-source.sh" openssl source)
if [ ! -e patched ]; then
  cp -a "$tree" patched
  patch -s -p1 -d patched <"$here"/*.patch
fi
for folder in "$tree" patched; do
  [ -e "$folder/libcrypto.a" ] ||
    (cd "$folder" && ./Configure linux-x86_64 && make build_generated && make -j"$(nproc)" libcrypto.a) >build.log 2>&1
done

say "What shares a line: the type of a method, in what digest.c does to it"
clang-22 -O2 -g -w -fpass-plugin="$build/lib/linesman-facts.so" -I"$tree" -I"$tree/include" \
  -c "$tree/crypto/evp/digest.c" -o digest.o
run linesman layout --types --filter=evp_md_st --top=1 digest.o

say "Who is on the line of the reference count while Debian's library runs"
compile driver-shared "$here/driver.cpp" -lcrypto
./driver-shared 20 >driver.txt 2>method.txt &
program=$!
until grep -q 'method at 0x' method.txt; do
  kill -0 "$program"
  sleep 0.1
done
method=$(sed -n 's/^method at //p' method.txt)
run linesman watch --pid "$program" --address="$(printf '0x%x' $((method + 120)))" --duration=10
wait "$program"

say "What it costs: the source built as it is, and with the patch"
compile driver "$here/driver.cpp" "$tree/libcrypto.a" -ldl
compile driver-patched "$here/driver.cpp" patched/libcrypto.a -ldl
for operation in update digest; do
  compare "$operation" ./driver ./driver-patched
done
