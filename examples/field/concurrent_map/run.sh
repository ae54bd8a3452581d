#!/usr/bin/env bash
packages=(libtbb-dev)
headers=oneapi/tbb
libraries=(-ltbb)
finding=(--types '--filter=concurrent_skip_list<')
object='--at=*Shared'
operations=(find insert)
source "$(dirname "${BASH_SOURCE[0]}")/../header.sh" "$@"
