#!/usr/bin/env bash
packages=(libtbb-dev)
headers=oneapi/tbb
libraries=(-ltbb)
finding=(--types --filter=concurrent_vector)
object='--at=*Shared'
operations=(read push_back)
source "$(dirname "${BASH_SOURCE[0]}")/../header.sh" "$@"
