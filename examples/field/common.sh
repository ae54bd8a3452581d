# Sourced by the run.sh of every folder here, which is called as
#   run.sh BUILD FOLDER     BUILD is a build of Linesman; all files go into FOLDER
# It goes there, and has what the scripts share: packages, builds of the driver
# and the steps of the ladder, each printed as the command that it is.
set -euo pipefail
[ $# -eq 2 ] || {
  echo "usage: run.sh BUILD FOLDER" >&2
  exit 2
}
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
field=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[-1]}")" && pwd)
source "$field/../setup.sh"
PATH=$build/bin:$PATH
unset DEBUGINFOD_URLS
cd "$out"
# Of a build; those who install a compiler of LLVM have it anyway.
install_packages libllvm22

say() { printf '\n== %s\n\n' "$*"; }

# run COMMAND...: prints it, with quotes where a shell needs them, and runs it.
# LAYOUT_ONLY=1 leaves out what needs a running program, and what it costs: a test
# compares the rest with the pages here.
run() {
  [ -z "${LAYOUT_ONLY:-}" ] || [ "$2" != watch ] || return 0
  local word line='$'
  for word in "$@"; do
    case $word in
    *[!A-Za-z0-9_./=:,+%@-]*) word="'$word'" ;;
    esac
    line+=" $word"
  done
  printf '%s\n' "$line"
  "$@"
}

# compile OUTPUT SOURCE [FLAG...]: with the facts of what it does to which bytes.
compile() {
  local output=$1 source=$2
  shift 2
  clang++-22 -std=c++20 -O2 -g -fstandalone-debug -fdata-sections -fpass-plugin="$build/lib/linesman-facts.so" \
    "$source" -o "$output" -I"$field" "$@" -pthread
}

# compare OPERATION 'A' 'B': what one operation takes, B to A, while the other one
# runs. The drivers leave out what the machine disturbed (pair.h), so all rounds count.
compare() {
  [ -z "${LAYOUT_ONLY:-}" ] || return 0
  run linesman ab --metric=output --match="$1 +([0-9.]+) ns" --better=lower \
    --disturbed=count --time-limit="${TIME_LIMIT:-60}" "$2" "$3"
  echo
}
