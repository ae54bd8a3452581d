#!/usr/bin/env bash
# Whether each patch of examples/field applies to what it is for, as Debian 12
# packages it, at the lines that it names. Prints a line each; exit 1 if one does
# not. Needs dpkg-dev, patch, the network and some gigabytes in FOLDER.
#   field-patches.sh FOLDER [NAME...]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
field=$here/../../examples/field
mkdir -p "$1"
out=$(realpath "$1")
shift

# Of each: a source package; or a package of headers or of a crate, the folder in it
# where the patch's names begin, and how many of their folders it does not have.
declare -A origin=(
  [atomic_cell_locks]="librust-crossbeam-utils-dev usr/share/cargo/registry/crossbeam-utils-0.8.12 1"
  [concurrent_hash_map]="libtbb-dev usr/include 2"
  [concurrent_map]="libtbb-dev usr/include 2"
  [concurrent_unordered_map]="libtbb-dev usr/include 2"
  [concurrent_vector]="libtbb-dev usr/include 2"
  [dashmap_shards]="librust-dashmap-dev usr/share/cargo/registry/dashmap-5.4.0 1"
  [eigen_run_queue]="libeigen3-dev usr/include/eigen3 1"
  [glib_quark]=glib2.0
  [glibc]=glibc
  [gobject_type_node]=glib2.0
  [gomp_critical]=gcc-12
  [htx_empty]=haproxy
  [openssl_method]=openssl
  [qobject_locks]=qtbase-opensource-src
  [regex_pool]="librust-regex-dev usr/share/cargo/registry/regex-1.7.1 1"
  [spinlock_pool]="libboost1.74-dev usr/include 2"
  [tcmalloc_page_heap]=google-perftools
  [thread_local_entry]="librust-thread-local-dev usr/share/cargo/registry/thread_local-1.1.4 1"
)

# fetch_source PACKAGE: prints the folder of its source. GCC's holds an archive.
fetch_source() {
  local tree archive
  tree=$(bash "$here/../fetch-source.sh" "$1" "$out")
  archive=$(find "$tree" -maxdepth 1 -name 'gcc-*.tar.*')
  if [ -n "$archive" ]; then
    mkdir -p "$tree/unpacked"
    tar -xf "$archive" -C "$tree/unpacked" --strip-components=1 --wildcards '*/gcc/omp-low.cc'
    tree=$tree/unpacked
  fi
  printf '%s\n' "$tree"
}

# fetch_package PACKAGE: prints the folder with its files.
fetch_package() {
  if [ ! -e "$out/$1" ]; then
    (cd "$out" && apt-get -qq -o APT::Sandbox::User=root download "$1" >&2)
    dpkg-deb -x "$out/$1"_*.deb "$out/$1"
  fi
  printf '%s\n' "$out/$1"
}

if [ $# -eq 0 ]; then
  mapfile -t names < <(cd "$field" && dirname -- */run.sh)
  set -- "${names[@]}"
fi
failed=0
for name in "$@"; do
  [ -v "origin[$name]" ] || {
    echo "field-patches.sh: nothing says what the patch of $name is for" >&2
    exit 2
  }
  read -r package folder strip <<<"${origin[$name]}"
  if [ -n "$folder" ]; then
    tree=$(fetch_package "$package")/$folder
  else
    tree=$(fetch_source "$package")
  fi
  if said=$(patch --dry-run --force --fuzz=0 -p"${strip:-1}" -d "$tree" <"$field/$name"/*.patch 2>&1) &&
    ! grep -q offset <<<"$said"; then
    echo "$name: applies to $package"
  else
    printf '%s: does not apply to %s\n%s\n' "$name" "$package" "$said"
    failed=1
  fi
done
exit $failed
