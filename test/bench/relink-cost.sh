#!/usr/bin/env bash
# What a relink costs beside the plain link, with ten edits, of two executables
# of more than 100 MB:
#   objects   256 objects with 300,000 data symbols and 110 MB of code
#   archives  clang -cc1, of the static libraries of LLVM and Clang: an archive
#             with an edited member is copied
#   test/bench/relink-cost.sh [BUILD [FOLDER]]
# Prints what each takes with each linker, and fails where the ratio to the plain
# link is above 1.15; relink_cost.py says what is measured. ROUNDS=24,
# LINKERS="lld mold bfd gold" and LINKS="objects archives" choose.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
folder=${2:-$(mktemp -d)}
mkdir -p "$folder" && cd "$folder"
PATH=$build/bin:/usr/lib/llvm-22/bin:$PATH
libraries=$(llvm-config --libdir)

make_objects() {
  python3 - <<'PY'
for o in range(256):
    with open(f"part{o}.s", "w") as f:
        f.write(f'.section .note.GNU-stack,"",@progbits\n.section .text.part{o},"ax",@progbits\n.globl part{o}\npart{o}: ret\n.fill 430000, 1, 0x90\n')
        for i in range(1180):
            kind, bits, what = ("bss", "nobits", ".zero 24") if i % 2 else ("data", "progbits", f".quad {i}, part{o}, {o}")
            f.write(f'.section .{kind}.object_{o}_{i},"aw",@{bits}\n.globl object_{o}_{i}\n.type object_{o}_{i}, @object\n.size object_{o}_{i}, 24\n.p2align 3\nobject_{o}_{i}: {what}\n')
with open("objects.c", "w") as f:
    f.write("".join(f"void part{o}(void);\n" for o in range(256)) + "int main(void) {\n" + "".join(f"part{o}();\n" for o in range(256)) + "return 0; }\n")
with open("objects.json", "w") as f:
    f.write('{"edits": [' + ",".join('{"kind": "isolate", "symbols": ["object_%d_%d"]}' % (25 * n, 100 * n + n % 2) for n in range(10)) + "]}\n")
PY
  for o in $(seq 0 255); do echo "part$o.s"; done | xargs -P 2 -n 8 clang -c
  clang -c objects.c
  rm part*.s
}

make_archives() {
  cat > archives.cpp <<'CPP'
#include "clang/Frontend/CompilerInstance.h"
#include "clang/FrontendTool/Utils.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/TargetSelect.h"
llvm::PassPluginLibraryInfo getPollyPluginInfo() { return {}; }
int main() {
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();
  clang::CompilerInstance Compiler;
  return !clang::ExecuteCompilerInvocation(&Compiler);
}
CPP
  clang++ -std=c++20 -O1 -fno-rtti -fno-exceptions $(llvm-config --cppflags) -c archives.cpp
  link archives lld
  # Ten options that users can set: objects of one size, static ones among them.
  llvm-nm -S archives-lld | python3 -c '
import collections, json, sys
rows = [row.split() for row in sys.stdin]
count = collections.Counter(row[3] for row in rows if len(row) == 4 and row[2] in "bB" and int(row[1], 16) == 184)
once = sorted(name for name in count if count[name] == 1)
json.dump({"edits": [{"kind": "isolate", "symbols": [name]} for name in once[:: len(once) // 10][:10]]}, open("archives.json", "w"))'
}

# Links $1 with the linker $2, under capture.
link() {
  case $1 in
  objects) set -- "$@" clang objects.o part*.o ;;
  archives) set -- "$@" clang++ archives.o -Wl,--start-group "$libraries"/libclang*.a "$libraries"/libLLVM*.a -Wl,--end-group \
    -l:libz3.so.4 -l:libz.so.1 -l:libzstd.so.1 -l:libxml2.so.2 ;;
  esac
  rm -rf "links-$1-$2"
  # mold forks, and its CPU time would be nobody's.
  linesman capture --links="links-$1-$2" -- "${@:3}" -fuse-ld="$2" $([ "$2" = mold ] && echo -Wl,--no-fork) -o "$1-$2" >/dev/null
}

status=0
for name in ${LINKS:-objects archives}; do
  [ -e "$name.json" ] || "make_$name"
  for linker in ${LINKERS:-lld mold bfd gold}; do
    command -v "ld.$linker" >/dev/null || command -v "$linker" >/dev/null || continue
    link "$name" "$linker"
    python3 "$here/relink_cost.py" "$name" "$linker" "${ROUNDS:-24}" || status=1
  done
done
exit $status
