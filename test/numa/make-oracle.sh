#!/usr/bin/env bash
# Builds the oracle workload in FOLDER, with the file link.txt that links it:
# make-oracle.sh FOLDER PAGES OBJECTS_A_PAGE
set -euo pipefail
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
mkdir -p "$1"
cd "$1"
python3 "$here/Inputs/make_oracle.py" "$2" "$3" >oracle.c
clang-22 -O1 -Wall -Werror -fdata-sections -c oracle.c -o oracle.o
echo "clang-22 -fuse-ld=lld '$PWD/oracle.o' -lm -o '$PWD/oracle'" >link.txt
eval "$(cat link.txt)"
