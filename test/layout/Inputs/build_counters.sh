#!/usr/bin/env bash
# Links counters.c without a C library, so that its few objects are all there is,
# at an address that starts and ends locks inside a line:
#   build_counters.sh CLANG PLUGIN OUTPUT [FLAG...]
set -euo pipefail
clang=$1 plugin=$2 output=$3
shift 3
"$clang" -O2 -g -fno-inline -static -nostdlib -Wl,-e,main,-Tbss=0x300030 -fuse-ld=lld -fpass-plugin="$plugin" \
  "$(dirname "${BASH_SOURCE[0]}")/counters.c" -o "$output" "$@"
