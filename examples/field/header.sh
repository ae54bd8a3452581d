# The path of a hazard in a library's headers, from Debian's package to the cost.
# Sourced by run.sh, which says:
#   packages    Debian's packages with the headers, and with what they need
#   headers     the folder or file under /usr/include that the patch changes
#   libraries   flags of the link
#   finding     --types and --filter that find it in the driver
#   object      what to watch: --symbol=... or --at=...
#   operations  the two that driver.cpp measures
#   root        where the names in the patch begin, if it is not the folder of headers:
#               patch's -p and -d
source "$(dirname "${BASH_SOURCE[0]}")/common.sh" "$@"
install_packages clang-22 patch "${packages[@]}"

say "What shares a line: ${packages[*]} as Debian has it, in a driver of its public interface"
compile driver "$here/driver.cpp" "${libraries[@]}"
run linesman layout "${finding[@]}" --top=1 driver

say "Who is on the line while it runs"
run linesman watch "$object" -- ./driver 8

say "The same with the patch"
rm -rf include
mkdir include
(cd /usr/include && cp -rL --parents "$headers" "$out/include")
[ -v root ] || root=(-p2 -d include)
patch -s "${root[@]}" <"$here"/*.patch
compile driver-patched "$here/driver.cpp" -Iinclude "${libraries[@]}"
run linesman layout "${finding[@]}" --top=1 driver-patched

say "What it costs: time of an operation while the other thread runs the other one"
for operation in "${operations[@]}"; do
  compare "$operation" ./driver ./driver-patched
done
