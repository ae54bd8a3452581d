#!/usr/bin/env bash
packages=(libeigen3-dev)
headers=eigen3
libraries=()
root=(-p1 -d include/eigen3)
finding=(--types '--filter=RunQueue<.*::mutex_')
object='--at=Shared->mutex_'
operations=(back)
source "$(dirname "${BASH_SOURCE[0]}")/../header.sh" "$@"
