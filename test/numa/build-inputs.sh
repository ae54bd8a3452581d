#!/usr/bin/env bash
# Builds what the must-try list needs: build-inputs.sh FOLDER
set -euo pipefail
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
mkdir -p "$1"
cd "$1"
cc() { clang-22 -O1 -g -pthread "$@"; }
cc "$here/Inputs/must_try.c" -o must_try
cc "$here/Inputs/big.c" -o big
cc "$here/Inputs/late.c" -o late
cc -Wl,-z,relro,-z,now "$here/Inputs/relro.c" -o relro
cc "$here/../Runtime/Inputs/host.c" -o host
cc -static "$here/../Runtime/Inputs/host.c" -o static 2>/dev/null
echo 'char added_page[8192] = {1};' | cc -shared -fPIC -x c - -o added.so
llvm-nm-22 big | awk '$3 == "big" {print "0x" $1}' >big.address
