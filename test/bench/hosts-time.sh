#!/usr/bin/env bash
# hosts-time.sh [BUILD] [ROUNDS] [SECONDS] [HOST]: see hosts-time.py
exec python3 "${BASH_SOURCE[0]%/*}/hosts-time.py" "${1:-build}" "${@:2}"
