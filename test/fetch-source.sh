#!/usr/bin/env bash
# Fetches and unpacks a Debian source package, so that tests and measurements run
# on code that nobody here wrote: test/fetch-source.sh PACKAGE DIR
# Prints the folder of the unpacked source. Needs no root and leaves the
# machine's apt set-up alone: it reads the same archives as this machine, with
# "deb-src" in place of "deb". Exit 77 when sources cannot be reached.
set -euo pipefail
package=$1
dir=$2
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
find_unpacked() { find "$dir" -mindepth 1 -maxdepth 1 -type d -name "$package-*" | sort | head -n 1; }

unpacked=$(find_unpacked)
if [ -z "$unpacked" ]; then
  apt=$(mktemp -d)
  trap 'rm -rf "$apt"' EXIT
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
    -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt" -o APT::Sandbox::User=root)
  if ! { apt-get "${options[@]}" update && cd "$dir" && apt-get "${options[@]}" source "$package"; } >"$dir/$package.log" 2>&1; then
    tail -n 3 "$dir/$package.log" >&2
    echo "cannot fetch the source package $package" >&2
    exit 77
  fi
  unpacked=$(find_unpacked)
fi
printf '%s\n' "$unpacked"
