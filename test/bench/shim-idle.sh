#!/usr/bin/env bash
# shim-idle.sh [BUILD] [ROUNDS]: see shim.py
exec python3 "${BASH_SOURCE[0]%/*}/shim.py" "${1:-build}" idle ${2:+"$2"}
