#!/usr/bin/env bash
# Scans packages of Debian that start threads, drawn by chance. The rule: of the
# archive's packages in the sections of scan_debian.py, one of each source, in the
# order of a hash of the seed and the name, the first COUNT with a file that
# imports pthread_create or thrd_create. So a seed and a release make a list.
#   scan-debian.sh BUILD FOLDER [COUNT [SEED [RELEASE]]]
#   scan-debian.sh BUILD FOLDER LIST     the packages of LIST (name and version)
# FOLDER keeps the packages, their list, the state of the scan and the table
# (fifty rows, JSON too). Started again, it goes on where it was.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
linesman=$(realpath "$1")/bin/linesman
mkdir -p "$2/apt/lists/partial" "$2/apt/cache/archives/partial" "$2/packages" "$2/tried"
folder=$(realpath "$2")
count=${3:-320} seed=${4:-linesman} release=${5:-bookworm}
given=
[[ -f $count ]] && given=$(realpath "$count")
jobs=${JOBS:-1}
# Packages that are fetched at once.
batch=24
cd "$folder"

# An apt of its own, with the archive that the machine's apt has this release from:
# what else is configured stays out of the drawing.
archive=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
  awk -v release="$release" '$2 == release && $3 == "main" { print $1; exit }')
[[ -n $archive ]] || { echo "scan-debian.sh: apt on this machine has no archive of $release" >&2; exit 2; }
echo "deb $archive $release main" >apt/sources.list
: >apt/installed
cat >apt.conf <<CONF
Dir::Etc::SourceList "$folder/apt/sources.list";
Dir::Etc::SourceParts "-";
Dir::State::Lists "$folder/apt/lists";
Dir::State::Status "$folder/apt/installed";
Dir::Cache "$folder/apt/cache";
APT::Architecture "amd64";
APT::Architectures { "amd64"; };
APT::Sandbox::User "root";
CONF
export APT_CONFIG=$folder/apt.conf

starts_threads() {
  local unpacked found=1 file
  # Most name no such function anywhere.
  dpkg-deb --fsys-tarfile "$1" | grep -cE 'pthread_create|thrd_create' >/dev/null || return 1
  unpacked=$(mktemp -d)
  dpkg-deb -x "$1" "$unpacked"
  while IFS= read -r -d '' file; do
    if readelf -W --dyn-syms "$file" 2>/dev/null | grep -cE 'UND (pthread_create|thrd_create)(@| |$)' >/dev/null; then
      found=0
      break
    fi
  done < <(grep -rlaZE 'pthread_create|thrd_create' "$unpacked")
  rm -rf "$unpacked"
  return $found
}

# Fetches what is missing of a batch of words NAME=VERSION.
fetch() {
  (cd packages && apt-get -qq download "$@") ||
    for one in "$@"; do (cd packages && apt-get -qq download "$one") || true; done
}

draw() {
  local at=0 word name version file
  mapfile -t order < <(tr '\t' '=' <order)
  : >list.new
  while ((at < ${#order[@]})) && (($(wc -l <list.new) < count)); do
    local now=("${order[@]:at:batch}") missing=()
    for word in "${now[@]}"; do [[ -e tried/$word ]] || missing+=("$word"); done
    ((${#missing[@]} == 0)) || fetch "${missing[@]}" </dev/null
    for word in "${now[@]}"; do
      name=${word%%=*} version=${word#*=}
      if [[ ! -e tried/$word ]]; then
        file=$(ls packages/"${name}"_*.deb 2>/dev/null) || { echo "scan-debian.sh: $word cannot be had" >&2; exit 1; }
        if [[ -n $given ]] || starts_threads "$file"; then echo yes; else rm "$file"; fi >"tried/$word"
      fi
      if [[ -s tried/$word ]]; then
        if (($(wc -l <list.new) < count)); then
          printf '%s\t%s\n' "$name" "$version" >>list.new
        else # behind the last one of its batch
          rm -f packages/"${name}"_*.deb "tried/$word"
        fi
      fi
    done
    ((at += batch))
  done
  mv list.new list
}

if [[ ! -f list ]]; then
  apt-get -qq update
  if [[ -n $given ]]; then
    cp "$given" order
    count=$(wc -l <order)
  else
    apt-cache dumpavail | python3 "$here/scan_debian.py" "$seed" >order
  fi
  draw
fi

"$linesman" scan --jobs="$jobs" --state=state.jsonl -o scan.txt packages/*.deb || (($? == 2))
"$linesman" scan --state=state.jsonl --top=50 -o table.txt || (($? == 2))
"$linesman" scan --state=state.jsonl --format=json -o scan.json || (($? == 2))
cat table.txt
