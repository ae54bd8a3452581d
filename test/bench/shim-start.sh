#!/usr/bin/env bash
# shim-start.sh [BUILD] [ROUNDS]: see shim.py
exec python3 "${BASH_SOURCE[0]%/*}/shim.py" "${1:-build}" start ${2:+"$2"}
