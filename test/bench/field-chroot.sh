#!/usr/bin/env bash
# Each script of examples/field on a clean Debian 12 of its own, with this
# checkout and the programs of a build: what one installs, no other has. Prints
# seconds, exit status and what ab says of each; what the scripts print is in
# LOGS. Needs root, debootstrap, overlayfs and the network.
#   field-chroot.sh BUILD LOGS [NAME...]
set -euo pipefail
build=$(realpath "$1")
mkdir -p "$2"
logs=$(realpath "$2")
shift 2
source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
source "$source/test/clean-debian.sh"
mkdir -p "$root/opt/linesman/build/lib" "$root/opt/linesman/test"
cp -r "$source/examples" "$root/opt/linesman/"
cp "$source/test/fetch-source.sh" "$root/opt/linesman/test/"
cp -r "$build/bin" "$build/libexec" "$root/opt/linesman/build/"
cp "$build"/lib/*.so "$root/opt/linesman/build/lib/"
if [ $# -eq 0 ]; then
  mapfile -t names < <(cd "$source/examples/field" && dirname -- */run.sh)
  set -- "${names[@]}"
fi

close_system
clean=$root root=$work/one failed=0
for name in "$@"; do
  mkdir -p "$work/upper" "$work/scratch" "$root"
  mount -t overlay overlay -o "lowerdir=$clean,upperdir=$work/upper,workdir=$work/scratch" "$root"
  open_system
  begin=$SECONDS status=0
  inside env TIME_LIMIT="${TIME_LIMIT:-60}" bash "/opt/linesman/examples/field/$name/run.sh" /opt/linesman/build /opt/out \
    >"$logs/$name.log" 2>&1 || status=$?
  echo "== $name: $((SECONDS - begin)) s, exit $status"
  grep -E '^(faster|slower|no-difference|cannot-tell): ' "$logs/$name.log" || true
  [ "$status" -eq 0 ] || { failed=1; tail -n 5 "$logs/$name.log"; }
  close_system
  umount "$root"
  rm -rf "$work/upper" "$work/scratch"
done
exit $failed
