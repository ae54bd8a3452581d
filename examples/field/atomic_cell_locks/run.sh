#!/usr/bin/env bash
crate=crossbeam-utils-0.8.12
packages=(librust-crossbeam-utils-dev)
unit=driver
finding=(--filter=::LOCKS)
object='--symbol=crossbeam_utils::atomic::atomic_cell::lock::LOCKS+72'
operations=(load store)
source "$(dirname "${BASH_SOURCE[0]}")/../crate.sh" "$@"
