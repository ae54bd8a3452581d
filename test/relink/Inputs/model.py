"""Random programs, random edits, every linker, against a model.

    model.py LINESMAN CLANG FOLDER CASES [SEED [LINKER...]]

A case is some units of C and C++ with objects of all kinds (initialised, zero,
local, common, thread-local, weak, inline, aliased, aligned, in archives, in units
without -fdata-sections), and a plan. The model says whether the plan can be met. If
it can, the relinked program prints what the plain one prints, an independent reader
of ELF finds every edit met and every other object with its size, its alignment and
its line-mates; if it cannot, linesman says so and writes nothing. LINKER is lld, bfd,
gold or mold, or aarch64 for GCC's and qemu-user. Prints the cases that do not agree,
with the command that makes one of them again; exit code 1 then."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
import elf_symbols

linesman, clang, folder, cases, *rest = sys.argv[1:]
folder, cases, seed = pathlib.Path(folder), int(cases), int(rest[0]) if rest else 1
known = {"lld": "ld.lld", "bfd": "ld.bfd", "gold": "ld.gold", "mold": "mold", "aarch64": "qemu-aarch64"}
linkers = rest[1:] or [name for name, tool in known.items() if shutil.which(tool) or name == "lld"]
if not rest[1:] and "aarch64" in linkers and not shutil.which("aarch64-linux-gnu-g++"):
    linkers.remove("aarch64")

KINDS = ("data", "bss", "local", "common", "tls", "tbss", "weak", "inline", "aligned", "pointer", "constant")
LINE, PAGE = 64, 4096


class Object:
    """One object of a program: how it is written, and what the model knows of it."""

    def __init__(self, pick, number, unit):
        self.kind = pick.choice([k for k in KINDS if (k != "inline" or unit.is_cpp) and (k != "common" or not unit.is_cpp)])
        self.name, self.unit = f"{self.kind}_{number}", unit
        self.longs = pick.choice((1, 1, 1, 2, 3, 5, 8, 20))
        self.align = pick.choice((16, 32, 64, 128)) if self.kind == "aligned" else 8
        self.value = pick.randrange(1, 1000)
        if self.kind == "pointer":
            self.longs = 1
        self.alias = f"alias_{number}" if self.kind == "data" and pick.random() < 0.2 else None
        self.target = None

    @property
    def is_thread_local(self):
        return self.kind in ("tls", "tbss")

    @property
    def section(self):
        """Where it is in a unit that is not cut; of its own, if it is common or inline."""
        pointers = ".data.rel" if self.unit.is_gcc else ".data"
        return {"pointer": pointers, "bss": ".bss", "tls": ".tdata", "tbss": ".tbss", "common": self.name, "inline": self.name}.get(self.kind, ".data")

    def is_movable(self, objects):
        """Written, and alone in its section."""
        mates = [o for o in objects if o.unit is self.unit and o.section == self.section and o.kind != "constant"]
        return self.kind != "constant" and (self.unit.is_cut or len(mates) == 1)

    @property
    def reference(self):
        """As a plan names it."""
        return {"symbol": self.name, **({"file": self.unit.source} if self.kind == "local" else {})}

    def definition(self):
        what, keep = f"long {self.name}[{self.longs}]", "__attribute__((used)) "
        value = f" = {{{self.value}}}"
        if self.kind == "local":
            return f'static {keep}{what} asm("{self.name}"){value};'
        if self.kind == "inline":
            return f'inline {keep}{what} asm("{self.name}"){value};'
        if self.kind == "common":
            return what + ";"
        if self.kind == "pointer":
            return f"extern long {self.target}[];\nextern {keep}long *{self.name};\nlong *{self.name} = {self.target};"
        storage = "__thread " if self.is_thread_local else "const " if self.kind == "constant" else ""
        attributes = {"weak": "__attribute__((weak)) ", "aligned": f"__attribute__((aligned({self.align}))) "}.get(self.kind, "")
        if self.kind in ("bss", "tbss"):
            value = "" if self.unit.is_cpp else " = {0}"
        alias = f'\nextern long {self.alias}[{self.longs}] __attribute__((alias("{self.name}")));' if self.alias else ""
        return f"extern {keep}{attributes}{storage}{what};\n{storage}{what}{value};{alias}"

    def digest(self):
        if self.kind == "pointer":
            return f"  sum = sum * 31 + *{self.name};"
        write = "" if self.kind == "constant" else f" if (round) {self.name}[i] += i + {self.value};"
        read = self.alias or self.name
        return f"  for (int i = 0; i != {self.longs}; ++i) {{{write} sum = sum * 31 + {read}[i]; }}\n  sum += (unsigned long){self.name} % {self.align};"


class Unit:
    def __init__(self, pick, number, is_gcc):
        self.is_gcc = is_gcc
        self.number, self.is_cpp, self.is_cut = number, pick.random() < 0.4, pick.random() < 0.85
        self.source = f"unit{number}.{'cpp' if self.is_cpp else 'c'}"
        self.in_archive = pick.random() < 0.3

    def write(self, objects):
        body = [o.definition() for o in objects]
        body.append(f"unsigned long digest{self.number}(int round);\nunsigned long digest{self.number}(int round) {{\n  unsigned long sum = {self.number};\n  (void)round;")
        body += [o.digest() for o in objects] + ["  return sum;\n}"]
        if self.is_cpp:
            body = ['extern "C" {', *body, "}"]
        pathlib.Path(self.source).write_text("\n".join(body) + "\n")


def make_program(pick, is_gcc):
    units = [Unit(pick, n, is_gcc) for n in range(pick.randrange(2, 5))]
    if all(u.in_archive for u in units):
        units[0].in_archive = False
    objects, number = [], 0
    for unit in units:
        for _ in range(pick.randrange(3, 12)):
            objects.append(Object(pick, number, unit))
            number += 1
    targets = [o for o in objects if o.kind in ("data", "bss", "weak", "common", "aligned")]
    for o in list(objects):
        if o.kind == "pointer":
            if targets:
                o.target = pick.choice(targets).name
            else:
                objects.remove(o)
    for unit in units:
        unit.write([o for o in objects if o.unit is unit])
    calls = "\n".join(f'unsigned long digest{u.number}(int);' for u in units)
    prints = "\n".join(f'  printf("%lx %lx %lx\\n", digest{u.number}(0), digest{u.number}(1), digest{u.number}(0));' for u in units)
    pathlib.Path("main.c").write_text(f"#include <stdio.h>\n{calls}\nint main(void) {{\n{prints}\n}}\n")
    return units, objects


def make_plan(pick, objects):
    """Edits of disjoint objects, and whether they can be met; None where that depends
    on the order in which a compiler writes: room fits before the first of a section."""
    left = objects[:]
    pick.shuffle(left)
    edits, can = [], True
    for _ in range(pick.randrange(1, 5)):
        if not left:
            break
        kind = pick.choice(("isolate", "isolate", "group", "explode", "pad"))
        first = left.pop()
        # Mostly what can be met: refusals say less.
        if not first.is_movable(objects) and pick.random() < 0.8:
            continue
        chosen = [first]
        if kind == "group":
            mates = [o for o in left if o.is_thread_local == first.is_thread_local and o.is_movable(objects)][: pick.randrange(1, 3)]
            if not mates:
                continue
            chosen += mates
            left = [o for o in left if o not in mates]
        if kind in ("explode", "group") and first.is_thread_local:
            continue
        size = {"pad": pick.choice((64, 128)), "explode": PAGE}.get(kind, pick.choice((LINE, 128)))
        edits.append((kind, size, chosen))
        if all(o.is_movable(objects) for o in chosen):
            continue
        depends = kind == "pad" and first.kind != "constant"
        can = None if depends and can is not False else False
    return edits, can


def blocks(place, size):
    return set(range(place[0] // size, (place[0] + place[1] - 1) // size + 1))


def mates_of(name, symbols, size, own=()):
    """Who shares a block with it; its aliases, which are where it is, do not count."""
    place = symbols[name][0]
    return {n for n, all_ in symbols.items() for s in all_ if s != place and n not in own and blocks(s, size) & blocks(place, size)}


def check(edits, objects, plain, now, warned):
    """What is wrong in the linked file, sentence by sentence."""
    problems = []
    edited = {o.name for _, _, chosen in edits for o in chosen}
    for kind, size, chosen in edits:
        names = {o.name for o in chosen}
        for o in chosen:
            if kind == "pad":
                place = now[o.name][0]
                # Of an object without its own phase the room is in front of its alignment.
                before = [n for n, all_ in now.items() for s in all_ if s[0] < place[0] and s[0] + s[1] > place[0] - size]
                if before:
                    problems.append(f"pad before {o.name}: {before}")
            else:
                shared = mates_of(o.name, now, size, names | {c.alias for c in chosen} if kind == "group" else ())
                if shared:
                    problems.append(f"{kind} {o.name}: shares with {sorted(shared)}")
    for o in objects:
        if sorted(s for _, s in plain.get(o.name, [])) != sorted(s for _, s in now.get(o.name, [])):
            problems.append(f"{o.name}: was {plain.get(o.name)}, is {now.get(o.name)}")
        elif any(a % o.align for a, _ in now.get(o.name, [])):
            problems.append(f"{o.name}: lost its alignment")
    # What is isolated leaves a gap: all others keep their line-mates. Room does
    # move them, and what is common or thread-local leaves none (docs/limits.md).
    leaves_no_gap = any(kind == "pad" or any(o.kind == "common" or o.is_thread_local for o in chosen) for kind, _, chosen in edits)
    if not warned and not leaves_no_gap:
        for o in objects:
            if o.name in edited or o.name not in plain:
                continue
            was, is_ = mates_of(o.name, plain, LINE, edited), mates_of(o.name, now, LINE, edited)
            new = {n for n in is_ - was if n in plain and not n.startswith(("alias_", "__", "_"))}
            if new:
                problems.append(f"{o.name}: new line-mates {sorted(new)}")
    return problems


def run(*command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def must(*command):
    done = run(*command)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def run_case(case):
    """Nothing where all agrees; otherwise what does not. And whether it was refused."""
    pick = random.Random(f"{seed}-{case}")
    linker = linkers[case % len(linkers)]
    is_arm = linker == "aarch64"
    units, objects = make_program(pick, is_arm)
    edits, can = make_plan(pick, objects)
    if not edits:
        return [], False
    cut, archived, loose = ["-fdata-sections", "-ffunction-sections"], [], ["main.o"]
    compilers = ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++") if is_arm else (clang, clang)
    # GCC for AArch64 optimises places in thread-local arrays to what lies before them, which it cannot link.
    level = "-O0" if is_arm else "-O1"
    is_fat = pick.random() < 0.3
    for source, flags in [("main.c", [])] + [(u.source, cut if u.is_cut else ["-fno-data-sections"]) for u in units]:
        standard = ["-std=c++17"] if source.endswith("pp") else ["-fcommon", "-std=gnu11"]
        must(compilers[source.endswith("pp")], "-w", level, *(["-g"] if is_fat else []), *standard, *flags, "-c", source, "-o", source.split(".")[0] + ".o")
    for u in units:
        (archived if u.in_archive else loose).append(f"unit{u.number}.o")
    if archived:
        pathlib.Path("libunits.a").unlink(missing_ok=True)
        must("aarch64-linux-gnu-ar" if is_arm else "ar", "rcs" if pick.random() < 0.8 else "rcsT", "libunits.a", *archived)
        loose.append("libunits.a")
    link = ["aarch64-linux-gnu-gcc", "-static"] if is_arm else [clang, f"-fuse-ld={linker}", *(["-static"] if pick.random() < 0.1 else [])]
    link += [*loose, "-o", "plain"]
    must(*link)
    start = ["qemu-aarch64"] if is_arm else []
    pathlib.Path("plan.json").write_text(json.dumps({"edits": [{"kind": k, "bytes": s, "symbols": [o.reference for o in c]} for k, s, c in edits]}))
    done = run(linesman, "relink", "--plan=plan.json", "-o", "edited", "--", *link)
    if done.returncode:
        left = ["it left a file"] if os.path.exists("edited") else []
        if can is True:
            left.append(f"was refused: {done.stdout.strip()}")
        elif done.returncode != 2 or "error: " not in done.stdout:
            left.append(f"ended with {done.returncode}: {done.stdout}")
        return left, True
    if can is False:
        return ["was not refused"], False
    problems = check(edits, objects, elf_symbols.read("plain"), elf_symbols.read("edited"), "warning: " in done.stdout)
    expected, got = run(*start, "./plain"), run(*start, "./edited")
    if (expected.returncode, expected.stdout) != (got.returncode, got.stdout):
        problems.append(f"printed {got.stdout!r} with {got.returncode}, and not {expected.stdout!r}")
    return problems, False


bad = refused = 0
first = int(os.environ.get("FIRST", "0"))
for case in range(first, first + cases):
    where = folder / "case"
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir(parents=True)
    os.chdir(where)
    problems, was_refused = run_case(case)
    refused += was_refused and not problems
    if problems:
        bad += 1
        print(f"case {case} of seed {seed} ({linkers[case % len(linkers)]}): FIRST={case} model.py LINESMAN CLANG FOLDER 1 {seed} {' '.join(linkers)}\n  " + "\n  ".join(problems), flush=True)
print(f"{cases - bad} of {cases} cases agree with the model, {refused} of them refused, with {', '.join(linkers)}")
sys.exit(bool(bad))
