#!/usr/bin/env bash
crate=regex-1.7.1
packages=(librust-regex+default-dev)
unit=regex
finding=(--types '--filter=regex::pool::Pool<')
object='--at=SHARED->__0.pool->owner'
operations=(match-owner match-other)
source "$(dirname "${BASH_SOURCE[0]}")/../crate.sh" "$@"
