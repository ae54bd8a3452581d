#!/usr/bin/env bash
# linesman bisect in the two-node machine where the culprit is in a library: the
# page, then the symbol, by the library's own link. Simulated. Takes about 4
# minutes. library.sh [BUILD] [SEEDS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
build=$(cd "${1:-build}" && pwd)
image=$build/test/numa/vm
work=$build/test/numa/library
bash test/numa/make-image.sh "$image"
rm -rf "$work" && mkdir -p "$work"
bash test/numa/make-oracle.sh "$work/program" 32 6
cd "$work"
clang-22 -O1 -fPIC -fdata-sections -Dmain=oracle_main -c program/oracle.c -o oracle.o
"$build/bin/linesman" capture --links=links -- clang-22 -fuse-ld=lld -shared -Wl,-soname,liboracle.so oracle.o -lm -o "$work/liboracle.so"
# A copy without a name of its own can not be replaced, which must be said.
clang-22 -fuse-ld=lld -shared oracle.o -lm -o "$work/libplain.so"
"$build/bin/linesman" capture --links=plain -- clang-22 -fuse-ld=lld -shared oracle.o -lm -o "$work/libplain.so"
echo 'int oracle_main(int, char **); int main(int c, char **v) { return oracle_main(c, v); }' >main.c
clang-22 main.c -Wl,-rpath,"$work" liboracle.so -o host
clang-22 main.c "$work/libplain.so" -o plain-host
cat >script.sh <<SCRIPT
cd /tmp
taskset -p 1 \$\$ >/dev/null
export PATH='$build/bin':\$PATH
# The program says on stderr which object it is.
search() {
  "\$@" 2>errors
  grep -a 'linesman: error' errors
  grep -ao 'culprit object_[0-9_]*' errors | tail -n 1
}
for seed in ${2:-4 5 6}; do
  search linesman bisect '--match=ops.([0-9.]+)' --live=1 --simulated --captured liboracle.so --links '$work/links' --log live\$seed -- '$work/host' live seed=\$seed noise=3
done
echo "== a process for each window, started by a script"
echo "exec '$work/host' once seed=7" >start.sh
search linesman bisect --simulated --captured liboracle.so --links '$work/links' --program '$work/host' --log once -- bash start.sh
echo "== without a name"
search linesman bisect '--match=ops.([0-9.]+)' --live=1 --simulated --captured libplain.so --links '$work/plain' --log plain -- '$work/plain-host' live seed=4
echo "== end"
SCRIPT
VM_SECONDS=2400 bash "$OLDPWD/test/numa/vm.sh" "$image" "$work/script.sh" | tee result.txt
awk '/^object_.* explains/ {found = $1} /^culprit/ && found != "" {right += $2 == found; wrong += $2 != found; found = ""} END {printf "%d symbols in a library right, %d wrong\n", right, wrong}' result.txt
FileCheck-22 --input-file=result.txt "$OLDPWD/test/bench/numa/library.sh"

# CHECK: page 0x{{[0-9a-f]+}} of liboracle.so explains
# CHECK: explains {{[0-9]+}} % of the slow-down (simulated)
# CHECK: == without a name
# CHECK: libplain.so is loaded beside the one that should take its place: link it with a name of its own (-Wl,-soname), and load it by that name
# CHECK: == end
