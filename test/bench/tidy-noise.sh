#!/usr/bin/env bash
# How much do the checks say about code that nobody here wrote?
#   bash test/bench/tidy-noise.sh [--build-dir DIR] [--work DIR] [PACKAGE...]
# Runs all checks on all units of memcached and redis, or of the packages named
# (Debian's sources, or a folder with a source tree), and prints each finding
# once, then findings per 1,000 lines and per unit. Tests, examples and what a
# package bundles are left out. Fails above 2 per 1,000 lines or 3 a unit.
# docs/measurements.md judges each finding.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$here/build
work=${TMPDIR:-/tmp}/linesman-noise
packages=()
while [ $# -gt 0 ]; do
  case $1 in
  --build-dir) build=$2 && shift 2 ;;
  --work) work=$2 && shift 2 ;;
  *) packages+=("$1") && shift ;;
  esac
done
[ ${#packages[@]} -gt 0 ] || packages=(memcached redis)
mkdir -p "$work"

# What the package's own build would run, without running it.
dry_run() {
  case $1 in
  memcached)
    # In this order nothing of autoconf looks out of date.
    touch aclocal.m4 && touch configure Makefile.in config.h.in
    ./configure >configure.log 2>&1 && make -n V=1 memcached
    ;;
  redis) make -n -C src V=1 MALLOC=libc redis-server redis-cli redis-benchmark ;;
  dnsdist)
    CC=clang-22 CXX=clang++-22 ./configure --with-lua=luajit --enable-dnscrypt --enable-dns-over-tls --with-nghttp2 >configure.log 2>&1 &&
      make -n V=1 dnsdist
    ;;
  *)
    if [ -f CMakeLists.txt ]; then
      CC=clang-22 CXX=clang++-22 cmake -S . -B "$work/$package.build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DBUILD_TESTING=OFF >cmake.log 2>&1
      return
    fi
    [ -f Makefile ] || CC=clang-22 CXX=clang++-22 ./configure >configure.log 2>&1
    make -n V=1
    ;;
  esac 2>/dev/null
}

status=0
for package in "${packages[@]}"; do
  if [ -d "$package" ]; then
    source=$(cd "$package" && pwd) && package=$(basename "$source")
  else
    source=$(bash "$here/test/fetch-source.sh" "$package" "$work") || exit $?
  fi
  database=$work/$package.db
  mkdir -p "$database"
  (cd "$source" && dry_run "$package" || true) >"$database/commands.txt"
  /usr/bin/env python3 - "$source" "$database" "$work/$package.build/compile_commands.json" <<'PYTHON'
import json, os, re, shlex, sys
source, database, built = sys.argv[1:]
others = re.compile(r"(^|/)(deps|vendor|third_party|ext|contrib|tests?|samples?|examples?|bench[a-z]*|fuzz[a-z]*|docs)/|[-_]tests?\.c|(^|/)test[-_a-z]*\.c")
folders = [source]
entries, seen = [], set()
for line in open(os.path.join(database, "commands.txt"), errors="replace"):
    entered = re.match(r"make(?:\[\d+\])?: Entering directory [`'](.*)'", line)
    if entered:
        folders.append(entered.group(1))
    elif re.match(r"make(?:\[\d+\])?: Leaving directory", line):
        folders.pop()
    folder = folders[-1]
    # automake's `test -f 'x.c' || echo './'`x.c
    line = re.sub(r"`[^`]*`", "", line)
    for command in re.split(r"\s*(?:&&|;|\|\|)\s*", line):
        if not re.search(r"(^|\s)-c(\s|$)", command):
            continue
        try:
            words = shlex.split(command)
        except ValueError:
            continue
        # "printf ...; cc -c x.c"; the compiler is the word before the first option.
        while words and not re.search(r"(cc|gcc|clang|clang\+\+|g\+\+|c\+\+)(-[0-9]+)?$", words[0]):
            words.pop(0)
        files = [word for word in words if word.endswith((".c", ".cc", ".cpp"))]
        if not words or not files:
            continue
        path = os.path.join(folder, files[-1])
        # The package's own code: what it bundles has its own authors.
        if path in seen or others.search(os.path.relpath(path, source)) or not os.path.exists(path):
            continue
        seen.add(path)
        entries.append({"directory": folder, "file": path, "arguments": words})
if os.path.exists(built):
    for entry in json.load(open(built)):
        path = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
        if path.startswith(source + "/") and path not in seen and not others.search(os.path.relpath(path, source)):
            seen.add(path)
            entries.append(entry)
json.dump(entries, open(os.path.join(database, "compile_commands.json"), "w"), indent=1)
PYTHON
  out=$work/$package.out
  python3 -c 'import json,sys; print("\n".join(e["file"] for e in json.load(open(sys.argv[1]))))' \
    "$database/compile_commands.json" >"$database/units.txt"
  xargs -a "$database/units.txt" -P2 -n4 clang-tidy-22 --load "$build/lib/linesman-tidy.so" -p "$database" \
    --checks='-*,linesman-*' --header-filter='.*' --quiet >"$out" 2>"$out.err" || true
  if grep -q 'PLEASE submit a bug report' "$out" "$out.err"; then
    echo "$package: clang-tidy crashed, see $out.err" >&2
    status=1
  fi
  units=$(wc -l <"$database/units.txt")
  lines=$(xargs -a "$database/units.txt" cat | wc -l)
  # A header's finding is one finding, however many units include it.
  grep -E 'warning: .*\[linesman-' "$out" | sed "s|$source/||" | sort -u >"$work/$package.findings" || true
  errors=$(grep -cE '(error): ' "$out" || true)
  findings=$(wc -l <"$work/$package.findings")
  cat "$work/$package.findings"
  python3 - "$package" "$units" "$lines" "$findings" "$errors" <<'PYTHON' || status=1
import sys
package, (units, lines, findings, errors) = sys.argv[1], map(int, sys.argv[2:])
per_thousand, per_unit = 1000 * findings / max(lines, 1), findings / max(units, 1)
print(f"{package}: {units} units, {lines} lines, {findings} findings: "
      f"{per_thousand:.2f} per 1,000 lines, {per_unit:.2f} per unit; {errors} compile errors")
sys.exit(units == 0 or per_thousand > 2 or per_unit > 3)
PYTHON
done
exit $status
