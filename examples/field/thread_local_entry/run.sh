#!/usr/bin/env bash
crate=thread_local-1.1.4
packages=(librust-thread-local-dev)
unit=probe
finding=(--types '--filter=Entry<')
object='--at=*Shared'
operations=(count count-other)
source "$(dirname "${BASH_SOURCE[0]}")/../crate.sh" "$@"
