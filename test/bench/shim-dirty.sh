#!/usr/bin/env bash
# shim-dirty.sh [BUILD] [ROUNDS]: see shim.py
exec python3 "${BASH_SOURCE[0]%/*}/shim.py" "${1:-build}" dirty ${2:+"$2"}
