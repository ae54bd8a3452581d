#!/usr/bin/env bash
# Passes where grep finds nothing in files that are there: lacks.sh [OPTION...] PATTERN [FILE...]
# `not grep` passes too where a file is missing.
grep "$@"
[ $? -eq 1 ]
