#!/usr/bin/env bash
# What a relink costs beside the plain link, with ten edits, of an executable of
# more than 100 MB: 256 objects with 300,000 data symbols and 110 MB of code.
#   test/bench/relink-cost.sh [BUILD [FOLDER]]
# Prints one line a linker: the ratio of the medians of interleaved rounds, of
# wall-clock time and of CPU time, and fails when the first is above 1.15.
# Analysis and verification are in it. The plain link has its old output to
# write over, as in a developer's build; mold takes that file's memory again. The
# last ratio is to a plain link that finds none. What frees the old output after
# a relink has ended is in no figure.
set -euo pipefail
build=$(cd "${1:-build}" && pwd)
folder=${2:-$(mktemp -d)}
rounds=${ROUNDS:-24}
mkdir -p "$folder" && cd "$folder"
PATH=$build/bin:/usr/lib/llvm-22/bin:$PATH

if [ ! -e main.o ]; then
  python3 - <<'PY'
for o in range(256):
    with open(f"part{o}.s", "w") as f:
        f.write(f'.section .note.GNU-stack,"",@progbits\n.section .text.part{o},"ax",@progbits\n.globl part{o}\npart{o}: ret\n.fill 430000, 1, 0x90\n')
        for i in range(1180):
            kind, bits, what = ("bss", "nobits", ".zero 24") if i % 2 else ("data", "progbits", f".quad {i}, part{o}, {o}")
            f.write(f'.section .{kind}.object_{o}_{i},"aw",@{bits}\n.globl object_{o}_{i}\n.type object_{o}_{i}, @object\n.size object_{o}_{i}, 24\n.p2align 3\nobject_{o}_{i}: {what}\n')
with open("main.c", "w") as f:
    f.write("".join(f"void part{o}(void);\n" for o in range(256)) + "int main(void) {\n" + "".join(f"part{o}();\n" for o in range(256)) + "return 0; }\n")
with open("plan.json", "w") as f:
    f.write('{"edits": [' + ",".join('{"kind": "isolate", "symbols": ["object_%d_%d"]}' % (25 * n, 100 * n + n % 2) for n in range(10)) + "]}\n")
PY
  for o in $(seq 0 255); do echo "part$o.s"; done | xargs -P 2 -n 8 clang -c
  clang -c main.c -o main.o
  rm -f part*.s
fi

status=0
for linker in lld mold bfd gold; do
  command -v "ld.$linker" >/dev/null || command -v "$linker" >/dev/null || continue
  rm -rf "links-$linker"
  # mold forks, and its CPU time would be nobody's.
  fork=$([ "$linker" = mold ] && echo -Wl,--no-fork || true)
  linesman capture --links="links-$linker" -- clang -fuse-ld="$linker" $fork main.o part*.o -o "app-$linker" >/dev/null
  python3 - "$linker" "$rounds" <<'PY' || status=1
import json, os, resource, statistics, subprocess, sys, time

linker, rounds = sys.argv[1], int(sys.argv[2])
link = json.load(open(f"links-{linker}/link-000001.json"))["link"]
relink = ["linesman", "relink", "--plan=plan.json", f"--captured=app-{linker}", f"--links=links-{linker}", "-o", f"edited-{linker}"]
plain, new, edited = [], [], []
runs = [(link, plain), (link, new), (relink, edited)]
for round in range(rounds):
    # What one leaves to the kernel is the next one's load: the order rotates.
    for command, into in runs[round % 3:] + runs[: round % 3]:
        if into is new:
            os.unlink(f"app-{linker}")
        begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        into.append((time.monotonic() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
size = os.path.getsize(f"app-{linker}") / 1e6
median = lambda of, which: statistics.median(one[which] for one in of)
wall, cpu = (median(edited, which) / median(plain, which) for which in (0, 1))
to_new = median(edited, 0) / median(new, 0)
print(f"{linker}: {size:.0f} MB, relink with ten edits takes {wall:.2f} of the plain link's time, {cpu:.2f} of its CPU time ({median(plain, 0):.2f} s, {median(plain, 1):.2f} s; {rounds} rounds), {to_new:.2f} of the time of one without an old output", flush=True)
sys.exit(wall > 1.15 or size < 100)
PY
done
exit $status
