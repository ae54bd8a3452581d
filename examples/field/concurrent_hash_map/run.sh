#!/usr/bin/env bash
packages=(libtbb-dev)
headers=oneapi/tbb
libraries=(-ltbb)
finding=(--types '--filter=>::(my_mask|\+8)$')
object='--at=*Shared'
operations=(find insert-erase)
source "$(dirname "${BASH_SOURCE[0]}")/../header.sh" "$@"
