#!/usr/bin/env bash
packages=(libboost-dev)
headers=boost/smart_ptr
libraries=()
finding=(--filter=spinlock_pool)
object='--symbol=boost::detail::spinlock_pool<2>::pool_'
operations=(load load-other)
source "$(dirname "${BASH_SOURCE[0]}")/../header.sh" "$@"
