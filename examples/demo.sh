#!/usr/bin/env bash
# From a fresh checkout to a hazard found, fixed and measured: installs what is
# missing, builds of Linesman what the story of nil_root needs into build/, and
# runs it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source examples/setup.sh
install_packages "${build_packages[@]}"
cmake --preset release -DLINESMAN_UNIT_TESTS=OFF >/dev/null
cmake --build --preset release --target linesman linesman-facts | tail -n 1
bash examples/nil_root/story.sh build build/examples/nil_root
