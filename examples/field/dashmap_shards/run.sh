#!/usr/bin/env bash
crate=dashmap-5.4.0
packages=(librust-dashmap-dev)
unit=probe
finding=(--types '--filter=RwLock<')
object='--at=SHARED->shards.data_ptr[1].raw'
operations=(find insert)
source "$(dirname "${BASH_SOURCE[0]}")/../crate.sh" "$@"
