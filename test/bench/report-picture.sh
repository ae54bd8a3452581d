#!/usr/bin/env bash
# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Draws docs/report.png, the README's picture of the HTML report: the report of
# examples/nil_root in a browser.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
make -s -C "$root/examples/nil_root" OUT="$dir" LINESMAN="$root/build"
"$root/build/bin/linesman" layout --format=html -o "$dir/store.html" "$dir/store"
chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --hide-scrollbars --user-data-dir="$dir/profile" --window-size=1300,830 \
  --virtual-time-budget=5000 --screenshot="$root/docs/report.png" "file://$dir/store.html" 2>/dev/null
echo "docs/report.png"
