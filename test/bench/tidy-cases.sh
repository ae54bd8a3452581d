#!/usr/bin/env bash
# Do the checks name real bugs of other projects, and are they silent after the fix?
#   bash test/bench/tidy-cases.sh [--build-dir DIR] [--work DIR] [--only REGEX] [--rows FILE] [--facts] CHECKOUTS
# CHECKOUTS is a folder with a git repository (also a bare one) for each name in
# the first column of tidy-cases.txt. Prints a row for each case: what the
# checks, with their default options, said before the fix, and whether it is
# gone after it. Fails if a row is not as it should be. Rows without a
# repository are skipped and counted. --rows names another list, such as
# tidy-unseen.txt, whose fixes nobody had looked at when the checks were written.
# --facts asks the facts of the units instead: objects, compiled with the pass.
# It prints the place of the first of five findings of `layout` and of `layout
# --types` that names what facts-cases.txt says, and its score.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$here/../../build
work=${TMPDIR:-/tmp}/linesman-cases
only=.
rows=$here/tidy-cases.txt
ask=messages
while [ $# -gt 1 ]; do
  case $1 in
  --build-dir) build=$2 && shift 2 ;;
  --work) work=$2 && shift 2 ;;
  --only) only=$2 && shift 2 ;;
  --rows) rows=$2 && shift 2 ;;
  --facts) ask=facts && shift ;;
  *) break ;;
  esac
done
[ $# -eq 1 ] || { echo "usage: tidy-cases.sh [--build-dir DIR] [--work DIR] [--only REGEX] [--rows FILE] [--facts] CHECKOUTS" >&2 && exit 2; }
checkouts=$(cd "$1" && pwd)
# Headers that a row's unit includes.
source "$here/../../examples/setup.sh"
install_packages libboost-dev libfmt-dev
mkdir -p "$work/stubs" && work=$(cd "$work" && pwd)
build=$(cd "$build" && pwd)
plugin=$build/lib/linesman-tidy.so
clang=${CLANG:-clang-22}
tidy=${CLANG_TIDY:-clang-tidy-22}

# The folders of a repository that its units need, and stand-ins for headers
# that its build generates.
paths() {
  case $1 in
  haproxy) echo include src ;;
  wiredtiger) echo src ;;
  dpdk-config) echo lib config examples/ip_pipeline ;;
  dpdk-meson) echo lib config drivers/net/af_packet drivers/bus/vdev ;;
  scylladb) echo utils seastarx.hh ;;
  ocaml) echo runtime ;;
  rethinkdb) echo src ;;
  -*) echo . ;;
  esac
}

prepare() { # KIND FOLDER
  case $1 in
  wiredtiger)
    printf '#define %s\n' 'SPINLOCK_TYPE SPINLOCK_PTHREAD_MUTEX' 'HAVE_CLOCK_GETTIME 1' 'HAVE_POSIX_MEMALIGN 1' 'HAVE_ATTRIBUTE 1' \
      'SPINLOCK_PTHREAD_MUTEX 1' 'SPINLOCK_GCC 0' >"$2/wiredtiger_config.h"
    printf '#include <%s>\n' sys/types.h stdarg.h stdint.h inttypes.h stdio.h >"$2/wiredtiger.h"
    sed 's/@off_t_decl@/typedef off_t wt_off_t;/; s/@[a-z0-9_]*_decl@//; s/@[A-Z_]*@/1/' "$2/src/include/wiredtiger.in" >>"$2/wiredtiger.h"
    ;;
  dpdk-config)
    sed -n 's/^CONFIG_\(RTE[A-Z0-9_]*\)=y$/#define \1 1/p; s/^CONFIG_\(RTE[A-Z0-9_]*\)=\([0-9"].*\)$/#define \1 \2/p' \
      "$2/config/common_base" >"$2/rte_config.h"
    printf '#%s RTE_CACHE_LINE_SIZE%s\n' undef '' define ' 64' >>"$2/rte_config.h"
    ;;
  dpdk-meson)
    {
      printf '#define RTE_%s\n' 'MAX_LCORE 128' 'MAX_NUMA_NODES 32' 'MAX_ETHPORTS 32' 'ARCH_X86 1' 'ARCH_X86_64 1' 'ARCH_64 1' \
        'EXEC_ENV_LINUX 1' 'PKTMBUF_HEADROOM 128' 'VER_YEAR 24' 'VER_MONTH 3' 'VER_MINOR 0' 'VER_RELEASE 99' 'VER_SUFFIX ""' 'VER_PREFIX ""'
    } >"$2/rte_build_config.h"
    ;;
  ocaml)
    printf '#define %s\n' 'ARCH_SIXTYFOUR 1' 'SIZEOF_INT 4' 'SIZEOF_LONG 8' 'SIZEOF_PTR 8' 'SIZEOF_SHORT 2' 'SIZEOF_LONGLONG 8' \
      'ARCH_INT64_TYPE long' 'ARCH_UINT64_TYPE unsigned long' 'ARCH_INT64_PRINTF_FORMAT "l"' >"$2/runtime/caml/m.h"
    printf '#define %s\n' 'HAS_STDATOMIC_H 1' 'HAS_STDINT_H 1' 'HAS_UNISTD 1' 'OCAML_OS_TYPE "Unix"' >"$2/runtime/caml/s.h"
    sed 's/@[A-Za-z_]*@/5/g' "$2/runtime/caml/version.h.in" >"$2/runtime/caml/version.h"
    ;;
  rethinkdb)
    printf '%s\n' '#pragma once' 'typedef struct io_context *io_context_t;' 'struct iocb { void *data; };' 'struct io_event { iocb *obj; long res; };' >"$2/src/libaio.h"
    ;;
  scylladb)
    cat >"$2/unit.cc" <<'UNIT'
#include "utils/compact-radix-tree.hh"
using tree = compact_radix_tree::tree<unsigned long>;
unsigned long use(tree &t, unsigned k) {
  t.emplace(k, 5ul);
  auto *p = t.get(k);
  t.erase(k);
  tree o(std::move(t));
  t.clear();
  return p ? *p : o.get(k + 1) != nullptr;
}
UNIT
    ;;
  esac
}

flags() { # KIND, in the folder
  case $1 in
  -*) tr ' ' '\n' <<<"$1" ;;
  haproxy)
    printf '%s\n' -std=gnu99 -DUSE_THREAD -DUSE_EPOLL -DUSE_POLL -DUSE_PRCTL -DUSE_DL -DUSE_RT -Iinclude \
      '-DCONFIG_HAPROXY_VERSION="x"' '-DCONFIG_HAPROXY_DATE="x"'
    ;;
  wiredtiger) printf '%s\n' -std=gnu99 -I. -Isrc/include ;;
  dpdk-config)
    printf '%s\n' -std=gnu99 -march=corei7 -include rte_config.h -DRTE_CACHE_LINE_SIZE=64 -I. -Ilib/librte_eal/common/include \
      -Ilib/librte_eal/common/include/arch/x86 -Ilib/librte_eal/linux/eal/include -Ilib/librte_eal/linuxapp/eal/include -Ilib/librte_eal/common
    printf -- '-I%s\n' lib/librte_* examples/ip_pipeline examples/ip_pipeline/pipeline
    ;;
  dpdk-meson)
    printf '%s\n' -std=gnu11 -march=corei7 -include rte_config.h -DRTE_CACHE_LINE_SIZE=64 -I. -Iconfig -Ilib/eal/include -Ilib/eal/x86/include \
      -Ilib/eal/linux/include -Ilib/eal/common -Idrivers/bus/vdev
    printf -- '-I%s\n' lib/*
    ;;
  ocaml) printf '%s\n' -std=gnu11 -Iruntime -DCAML_INTERNALS -D_GNU_SOURCE ;;
  rethinkdb) printf '%s\n' -std=gnu++11 -Isrc -include cstdio -include cstring -include string ;;
  scylladb) printf '%s\n' -std=c++20 -I. "-I$work/seastar/include" ;;
  esac
}

export_revision() { # REPOSITORY REVISION KIND FOLDER
  [ ! -e "$4/.done" ] || return 0
  rm -rf "$4" && mkdir -p "$4"
  local path
  for path in $(paths "$3"); do
    git -C "$checkouts/$1" cat-file -e "$2:${path#.}" 2>/dev/null || continue
    git -C "$checkouts/$1" archive "$2" "$path" 2>/dev/null | tar -x -C "$4"
  done
  prepare "$3" "$4"
  touch "$4/.done"
}

# What is said of the row's units, one message a line.
messages() { # KIND FOLDER UNITS
  (
    cd "$2"
    mapfile -t options < <(flags "$1")
    for unit in $3; do
      case $1 in scylladb) unit=unit.cc ;; esac
      [ -e "$unit" ] || continue
      "$tidy" --load "$plugin" --checks='-*,linesman-*' --header-filter='.*' --quiet "$unit" -- -w "${options[@]}" 2>/dev/null || true
    done
  ) | grep -E ' (warning|error): ' || true
}

# What the facts of the row's units name first: "layout 2 (10.5)", "types 1 (9)",
# the best of all units; "-" where none does.
places() { # KIND FOLDER UNITS REGEX
  (
    cd "$2"
    mapfile -t options < <(flags "$1")
    for unit in $3; do
      case $1 in scylladb) unit=unit.cc ;; esac
      [ -e "$unit" ] || continue
      object=$work/unit.o
      "$clang" -w -O2 -g -fpass-plugin="$build/lib/linesman-facts.so" "${options[@]}" -c "$unit" -o "$object" 2>/dev/null || {
        echo "0 does not compile"
        continue
      }
      for of in layout types; do
        option= && [ $of = layout ] || option=--types
        place=$("$build/bin/linesman" layout $option --top=5 --format=json "$object" 2>/dev/null | python3 "$here/first_named.py" "$4")
        [ "$place" = - ] || echo "${place%% *} $of $place"
      done
    done
  ) | sort -n | head -n 1 | cut -d ' ' -f 2-
}

status=0 count=0 right=0 skipped=0
printf '%-11s %-11s %-48s %-22s %s\n' repository fix unit before after
while IFS='|' read -r repository revision units kind check wanted; do
  repository=${repository// /} revision=${revision// /} kind=$(echo $kind) check=${check// /}
  units=$(echo $units) wanted=${wanted# }
  case $repository in '' | \#*) continue ;; esac
  [[ "$repository $revision $units" =~ $only ]] || continue
  if [ $ask = facts ]; then
    wanted=$(sed -n "s/^$revision //p" "$here/facts-cases.txt")
    check=${wanted:+asked}
  fi
  if [ ! -e "$checkouts/$repository" ] || [ "${check:-facts}" = facts ]; then
    skipped=$((skipped + 1))
    [ "$check" != facts ] || printf '%-11s %-11s %-48s %-22s %s\n' "$repository" "$revision" "${units%% *}" "facts, not here" -
    continue
  fi
  if [ "$kind" = scylladb ] && [ ! -e "$work/seastar/include" ]; then
    mkdir -p "$work/seastar"
    git -C "$checkouts/seastar" archive "$(git -C "$checkouts/seastar" rev-list -1 --before=2021-08-27 HEAD)" include | tar -x -C "$work/seastar"
  fi
  said=()
  for when in before after; do
    commit=$revision && [ $when = after ] || commit=$revision^
    folder=$work/$repository-$revision-${kind//[^a-z0-9-]/_}-$when
    export_revision "$repository" "$commit" "$kind" "$folder"
    if [ $ask = facts ]; then
      place=$(places "$kind" "$folder" "$units" "$wanted")
      said+=("${place:--}")
      continue
    fi
    all=$(messages "$kind" "$folder" "$units")
    if grep -q ' error: ' <<<"$all"; then
      said+=("does not parse")
      grep -m1 ' error: ' <<<"$all" >&2
      continue
    fi
    named=$({ grep -E "$wanted" <<<"$all" || true; } | sed -n 's/.*\[linesman-\([a-z-]*\)\]$/\1/p' | sort -u | { [ "$check" = '*' ] && cat || grep -x "$check" || true; } | paste -sd, -)
    said+=("${named:--}")
  done
  count=$((count + 1))
  after=gone && [ "${said[1]}" = - ] || after="${said[1]}"
  [ "${said[0]}" != - ] || after=-
  printf '%-11s %-11s %-48s %-22s %s\n' "$repository" "$revision" "${units%% *}" "${said[0]/#-/not named}" "$after"
  if [ $ask = facts ]; then
    # A fix may leave the name in its place, with less to say of it.
    [ "${said[0]}" = - ] || [ "${said[0]}" = "does not compile" ] || right=$((right + 1))
  elif [ "$after" = gone ] && [ "${said[0]}" != "does not parse" ]; then right=$((right + 1)); else status=1; fi
done <"$rows"
[ $count -gt 0 ] || { echo "no row was looked at: $skipped have no repository in $checkouts, or are not asked" >&2 && exit 2; }
if [ $ask = facts ]; then
  echo "$right of $count rows are named by the first five of their units' facts, $skipped not looked at"
else
  echo "$right of $count rows as they should be, $skipped not looked at"
fi
exit $status
