# The path of a hazard in a crate, from Debian's package of its source to the cost.
# The driver is C++ as all others are; probe.rs makes C functions of the crate's
# public interface. Sourced by run.sh, which says:
#   crate       folder in Debian's registry of crates, NAME-VERSION
#   packages    Debian's packages with it, and with what it needs
#   unit        whose code is read for facts: the crate itself, or probe, where the
#               compiler puts what is generic; or driver, whose machine code is read
#   finding     options of layout that find it in there
#   object      what to watch: --symbol=... or --at=...
#   operations  the two that driver.cpp measures
source "$(dirname "${BASH_SOURCE[0]}")/common.sh" "$@"
install_packages clang-22 cargo rustc patch "${packages[@]}"
registry=/usr/share/cargo/registry
name=${crate%-*}

# build_probe FOLDER [CRATE]: libprobe.a and the bitcode of each unit, with CRATE in
# place of Debian's
build_probe() {
  mkdir -p "$1/src"
  cp "$here/probe.rs" "$1/src/lib.rs"
  {
    printf '[package]\nname = "probe"\nversion = "0.1.0"\nedition = "2021"\n'
    printf '[lib]\ncrate-type = ["staticlib"]\n[profile.release]\ndebug = true\npanic = "abort"\n'
    printf '[dependencies]\n%s = "%s"\n' "$name" "${crate##*-}"
    [ $# -eq 1 ] || printf '[patch.crates-io]\n%s = { path = "%s" }\n' "$name" "$2"
  } >"$1/Cargo.toml"
  (cd "$1" && RUSTC=/usr/bin/rustc RUSTFLAGS='--emit=llvm-bc,link -Ccodegen-units=1' /usr/bin/cargo build \
    --release --offline --target=x86_64-unknown-linux-gnu \
    --config 'source.crates-io.replace-with="debian"' \
    --config "source.debian.directory=\"$registry\"") >build.log 2>&1
}
# look PROBE SUFFIX: what shares a line in this build
look() {
  if [ "$unit" = driver ]; then
    run linesman layout "${finding[@]}" --top=1 "driver$2"
  else
    clang-22 -O2 -Wno-override-module -fpass-plugin="$build/lib/linesman-facts.so" \
      -c "$1"/target/*/release/deps/"$unit"-*.bc -o "unit$2.o"
    run linesman layout "${finding[@]}" --top=1 "unit$2.o"
  fi
}

say "What shares a line: ${packages[0]} as Debian has it, in what $unit does to it"
build_probe as-is
compile driver "$here/driver.cpp" as-is/target/*/release/libprobe.a -ldl
look as-is ""

say "Who is on the line while it runs"
run linesman watch "$object" -- ./driver 8

say "The same with the patch"
if [ ! -e "$crate" ]; then
  cp -r "$registry/$crate" .
  rm -f "$crate/.cargo-checksum.json"
  patch -s -p1 -d "$crate" <"$here"/*.patch
fi
build_probe patched "$out/$crate"
compile driver-patched "$here/driver.cpp" patched/target/*/release/libprobe.a -ldl
look patched -patched

say "What it costs: time of an operation while the other thread runs the other one"
for operation in "${operations[@]}"; do
  compare "$operation" ./driver ./driver-patched
done
