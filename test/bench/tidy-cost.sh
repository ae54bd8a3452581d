#!/usr/bin/env bash
# What all checks together add to clang-tidy's time, on real units:
#   test/bench/tidy-cost.sh [--rounds N] [BUILD DIR]
# Compares clang-tidy with one trivial built-in check against the same plus all
# of linesman-*, on the same units, interleaved in one run: C++ with large
# standard headers and something to find, C++ with LLVM's own headers, and C from
# memcached. The number that counts is the ratio of the medians of user time;
# machines differ, ratios hardly do. For a large unit without large headers, an
# interpreter in one file of 101,000 lines, the number is the seconds that all
# checks add. Exit 1 when either is above its bound, 77 when sources cannot be
# fetched.
set -euo pipefail
bound=1.10
seconds_bound=2
rounds=5
if [ "${1:-}" = --rounds ]; then
  rounds=$2
  shift 2
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:-$root/build}
plugin=$build/lib/linesman-tidy.so
llvm=/usr/lib/llvm-22
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

memcached=$(bash "$root/test/fetch-source.sh" memcached "${LINESMAN_SOURCES:-$work}")
if [ ! -f "$memcached/config.h" ]; then
  (cd "$memcached" && CC=$llvm/bin/clang ./configure) >"$work/configure.log" 2>&1
fi
c_units=("$memcached"/{memcached,items,slabs,thread,proto_text,extstore}.c)
c_options=(-std=gnu99 -DHAVE_CONFIG_H "-I$memcached")
duktape=$(bash "$root/test/fetch-source.sh" duktape "${LINESMAN_SOURCES:-$work}")

# As many standard headers as a server's unit pulls in.
cat >"$work/server.cpp" <<'CPP'
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <regex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
struct Cache {
  std::mutex mutex;
  std::unordered_map<std::string, std::vector<int>> entries;
  std::atomic<long> hits{0};
  long limit = 1000;
  std::vector<int> find(const std::string &Key) {
    std::lock_guard<std::mutex> Held(mutex);
    ++hits;
    auto Found = entries.find(Key);
    return Found == entries.end() ? std::vector<int>() : Found->second;
  }
};
static long calls;
void sample(Cache &All) {
  if (++calls % 1000 == 0)
    All.find("sample");
}
int main() {
  Cache All;
  std::regex Words("[a-z]+");
  std::thread([&] { All.find("a"); }).join();
  std::cout << std::regex_match("abc", Words) << All.limit << "\n";
}
CPP
cxx_units=("$work/server.cpp" "$root/lib/Tidy/Analysis/Accesses/UnitWalker.cpp" "$root/lib/Tidy/AdjacentHotFieldsCheck.cpp")
cxx_options=(-std=c++20 -fno-rtti -D_GNU_SOURCE "-I$root/lib/Tidy" "-I$root/include" -isystem "$llvm/include")

tidy() {
  local checks=$1
  shift
  "$llvm/bin/clang-tidy" --load "$plugin" "--checks=-*,$checks" --quiet "$@" >>"$work/out" 2>>"$work/err"
}
all_units() {
  tidy "$1" "${c_units[@]}" -- "${c_options[@]}"
  tidy "$1" "${cxx_units[@]}" -- "${cxx_options[@]}"
}
large_unit() { tidy "$1" "$duktape/src/duktape.c" -- -w; }

# measure UNITS CHECKS: user seconds of one run over them.
measure() {
  local TIMEFORMAT=%U
  : >"$work/out" >"$work/err"
  { time "$@" 2>/dev/null; } 2>&1
  if grep -qE 'clang-diagnostic-error|Stack dump' "$work/out" "$work/err"; then
    echo "a unit did not compile:" >&2
    grep -hE 'clang-diagnostic-error|Stack dump' "$work/out" "$work/err" | head -n 3 >&2
    exit 2
  fi
}

# One check that does next to nothing, so that everything else is clang-tidy's.
trivial=misc-unused-alias-decls
measure all_units "$trivial,linesman-*" >/dev/null # Warms the caches.
for ((round = 0; round < rounds; ++round)); do
  measure all_units "$trivial" >>"$work/base"
  measure all_units "$trivial,linesman-*" >>"$work/ours"
  measure large_unit "$trivial" >>"$work/large-base"
  measure large_unit "$trivial,linesman-*" >>"$work/large-ours"
done
median() { sort -n "$1" | sed -n "$(((rounds + 1) / 2))p"; }
base=$(median "$work/base")
ours=$(median "$work/ours")
large_base=$(median "$work/large-base")
large_ours=$(median "$work/large-ours")
# Median and quartiles of what awk makes of the pairs of runs.
spread() {
  paste "$2" "$3" | awk "{ print $1 }" | sort -n |
    awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)], v[int((NR + 3) / 4)], v[int((3 * NR + 3) / 4)] }'
}
read -r middle low high < <(spread '$1 / $2' "$work/ours" "$work/base")
python3 "$root/test/bench/measure.py" tidy-cost "${#c_units[@]} units of C and ${#cxx_units[@]} of C++" "with all checks $ours s" "with one trivial check $base s" "$middle" "$low" "$high" "$bound" >/dev/null || true
read -r middle low high < <(spread '$1 - $2' "$work/large-ours" "$work/large-base")
python3 "$root/test/bench/measure.py" tidy-cost "a unit of 101,000 lines of C" "seconds that all checks add" "with one trivial check $large_base s" "$middle" "$low" "$high" "$seconds_bound" >/dev/null || true
awk -v base="$base" -v ours="$ours" -v bound="$bound" -v large_base="$large_base" -v large_ours="$large_ours" -v seconds_bound="$seconds_bound" 'BEGIN {
  ratio = ours / base
  longer = large_ours - large_base
  printf "one trivial check: %.2f s, with linesman-*: %.2f s (user, median): ratio %.3f, bound %.2f\n", base, ours, ratio, bound
  printf "a unit of 101,000 lines of C: %.2f s and %.2f s: %.2f s added, bound %.0f s\n", large_base, large_ours, longer, seconds_bound
  exit ratio > bound || longer > seconds_bound
}'
