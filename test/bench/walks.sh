#!/usr/bin/env bash
# How long each role's quick start of the README takes on a clean Debian 12, from
# nothing but the Debian package: debootstrap, apt-get of the package and of what
# the role needs, and the README's commands as they stand, on their server. Prints the seconds of each part and what the commands said.
# Needs root, debootstrap and the network; removes all of it.
#   walks.sh [BUILD]
set -euo pipefail
build=$(realpath "${1:-build}")
source=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../..
source "$source/test/clean-debian.sh"
put_package "$build"

# A file for each block of the README's quick starts, and its program.
python3 - "$source" "$root/opt" <<'END'
import pathlib, re, shutil, sys
source, to = map(pathlib.Path, sys.argv[1:])
text = (source / "README.md").read_text()
starts = text[text.index("## Quick starts"):]
for role, block in re.findall(r"\*\*You (review code|own the build|hunt a slow server)\.\*\*.*?```sh\n(.*?)```", starts, re.S):
    (to / (role.split()[0] + ".sh")).write_text(block)
use = to / "use"
use.mkdir()
shutil.copy(source / "examples/recipes/server.cpp", use)
# Where the README's checkout has what the package puts elsewhere.
(use / "build").mkdir()
(use / "build/bin").symlink_to("/usr/bin")
(use / "build/lib").symlink_to("/usr/lib")
END

since() { echo "== $1: $((SECONDS - begin)) s"; begin=$SECONDS; }
begin=$SECONDS
install /opt/linesman.deb
since "the package"
install clang-22 clang-tidy-22 lld-22 libstdc++-12-dev binutils
since "a compiler and clang-tidy"
for role in review own hunt; do
  inside bash -euxc "cd /opt/use && . /opt/$role.sh" 2>&1 | tail -n 40 | cut -c1-160
  since "$role"
done
