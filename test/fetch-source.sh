#!/usr/bin/env bash
# Fetches and unpacks a Debian source package, so that tests and measurements run
# on code that nobody here wrote: test/fetch-source.sh PACKAGE DIR
# Prints the folder of the unpacked source. Needs no root and leaves the
# machine's apt set-up alone: it reads the same archives as this machine, with
# "deb-src" in place of "deb". Exit 77 when sources cannot be reached; with
# --probe alone it fetches one index file to find that out.
set -euo pipefail

# use_sources FOLDER: sets "options" to those with which apt reads source
# packages and keeps its state in FOLDER.
use_sources() {
  local apt=$1 list
  mkdir -p "$apt/lists/partial" "$apt/parts"
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    case $list in
      *.list) sed -n 's/^deb /deb-src /p' "$list" >"$apt/parts/$(basename "$list")" ;;
      *.sources) sed 's/^Types:.*/Types: deb-src/' "$list" >"$apt/parts/$(basename "$list")" ;;
    esac 2>/dev/null || true
  done
  # Only Debian's own archives have the packages that we ask for.
  grep -LiE 'debian(-security)?/?([[:space:]]|$)' "$apt"/parts/* | xargs -r rm -f
  options=(-o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$apt/parts"
    -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt" -o APT::Sandbox::User=root
    -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o Acquire::Retries=1)
}

apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT

if [ "$1" = --probe ]; then
  command -v apt-get >/dev/null && command -v dpkg-source >/dev/null || {
    echo "no apt-get or no dpkg-source: not a Debian machine with dpkg-dev"
    exit 77
  }
  use_sources "$apt"
  index=$(apt-get "${options[@]}" --print-uris update 2>/dev/null | sed -n "1s/^'\([^']*\)'.*/\1/p")
  [ -n "$index" ] || {
    echo "apt reads no Debian archive here"
    exit 77
  }
  /usr/lib/apt/apt-helper -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10 -o Acquire::Retries=0 \
    download-file "$index" "$apt/index" >/dev/null 2>&1 || {
    echo "apt cannot reach its archives"
    exit 77
  }
  exit 0
fi

package=$1
dir=$2
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
find_unpacked() { find "$dir" -mindepth 1 -maxdepth 1 -type d -name "$package-*" | sort | head -n 1; }

# Tests run side by side, and one fetches for all.
exec {lock}>"$dir/.lock"
flock "$lock"
unpacked=$(find_unpacked)
if [ -z "$unpacked" ]; then
  use_sources "$apt"
  # An index may name a version that its archive does not have any more.
  fetch_newest() {
    local version
    for version in $(apt-cache "${options[@]}" showsrc --only-source "$package" | sed -n 's/^Version: //p' | sort -urV); do
      apt-get "${options[@]}" source "$package=$version" && return
    done
    return 1
  }
  if ! { apt-get "${options[@]}" update && cd "$dir" && fetch_newest; } >"$dir/$package.log" 2>&1; then
    tail -n 3 "$dir/$package.log" >&2
    echo "cannot fetch the source package $package" >&2
    exit 77
  fi
  unpacked=$(find_unpacked)
fi
printf '%s\n' "$unpacked"
