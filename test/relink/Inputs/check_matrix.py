"""Every edit on every kind of definition, with one linker:
check_matrix.py LINESMAN CLANG LINKER INPUTS FOLDER [FLAG...]
After each link an independent reader checks the edit, every other symbol's size
and alignment, and the program's output."""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
import elf_symbols

linesman, clang, linker, inputs, folder, *flags = sys.argv[1:]
inputs, folder = pathlib.Path(inputs), pathlib.Path(folder)
folder.mkdir(parents=True, exist_ok=True)
os.chdir(folder)


def run(*command, check=True):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if check and done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done


compile_flags = ["-O1", "-fdata-sections", "-ffunction-sections", *[f for f in flags if f.startswith("-f")]]
for source in ("main.cpp", "other.cpp", "common.c", "common2.c", "member.cpp"):
    common = ["-fcommon", "-x", "c"] if source.endswith(".c") else ["-std=c++17"]
    run(clang, *compile_flags, *common, "-c", inputs / f"matrix-{source}", "-o", source.split(".")[0] + ".o")
for archive in pathlib.Path().glob("*.a"):
    archive.unlink()
run("ar", "rcs", "libmember.a", "member.o")
run(linesman, "capture", "--links=links", "--", clang, f"-fuse-ld={linker}", *flags, "main.o", "other.o", "common.o", "common2.o", "-L.", "-lmember", "-o", "app")
expected = run("./app").stdout
plain = elf_symbols.read("app")
mangle = {"anonymous_b": "_ZN12_GLOBAL__N_111anonymous_bE", "anonymous_d": "_ZN12_GLOBAL__N_111anonymous_dE"}
problems = []
links = refused = 0
# It does not place sections by the names that edits give them: what did not
# come out as it should is refused, and nothing is written.
may_refuse = linker == "wild"


def blocks(symbol, size):
    return set(range(symbol[0] // size, (symbol[0] + symbol[1] - 1) // size + 1))


def mates(symbols, own, size):
    """Names that share a block with one of own."""
    taken = set().union(*(blocks(s, size) for s in own))
    return sorted(n for n, all_ in symbols.items() for s in all_ if s not in own and blocks(s, size) & taken)


def check(edit, names, size, symbols):
    """The problem, or None. Of a name that two files have, one must hold."""
    found = [symbols.get(mangle.get(name, name), []) for name in names]
    if not all(found):
        return f"missing in {names}"
    for first in found[0]:
        own = [first, *(f[0] for f in found[1:])]
        if edit in ("pad", "shift"):
            before = [s for all_ in symbols.values() for s in all_ if s[0] + s[1] > first[0] - size and s[0] < first[0]]
            if not before:
                return None
        elif not mates(symbols, own, size) and (edit != "group" or max(s[0] + s[1] for s in own) - min(s[0] for s in own) <= size):
            return None
    return f"shares or is apart: {mates(symbols, own, size)} {own}"


for kind in ("object", "member", "comdat", "common", "anonymous", "tls", "data", "bss"):
    name, partner = f"{kind}_b", f"{kind}_d"
    # Two files have an anonymous_b: the edit says which.
    said = "matrix-main.cpp:(anonymous namespace)::anonymous_b" if kind == "anonymous" else name
    said2 = "(anonymous namespace)::anonymous_d" if kind == "anonymous" else partner
    section = {"tls": ".tdata", "bss": ".bss", "common": ".bss"}.get(kind, ".data")
    cases = [(edit, size) for size in (64, 128) for edit in ("isolate", "group", "pad", "shift")] + [("explode", 4096)]
    for edit, size in cases:
        option = {
            "isolate": [f"--isolate={said}", f"--line-size={size}"],
            "group": [f"--group={said},{said2}", f"--line-size={size}"],
            "pad": [f"--pad={said}={size}"],
            "shift": [f"--shift={section}={size}"],
            "explode": [f"--explode={said},{said2}"],
        }[edit]
        out = f"{kind}-{edit}-{size}"
        where = f"{linker} {' '.join(flags)} {out}"
        links += 1
        done = run(linesman, "relink", *option, "--captured=app", "--links=links", "-o", out, check=False)
        if may_refuse and done.returncode == 2 and "error: after the link" in done.stdout and not os.path.exists(out):
            refused += 1
            continue
        if done.returncode:
            problems.append(f"{where}: {done.stdout.strip()}")
            continue
        symbols = elf_symbols.read(out)
        names = {"group": [name, partner], "shift": [done.stdout.split(":")[0]]}.get(edit, [name])
        problem = check(edit, names, size, symbols)
        if problem:
            problems.append(f"{where}: {problem}")
        for symbol, copies in plain.items():
            now = symbols.get(symbol, [])
            # mold 1.10 takes the first of several common symbols, and not the
            # largest as others do and as a definition in its place must be.
            grows = symbol == "common_b" and kind == "common" and linker == "mold"
            sizes = sorted(s for _, s in copies) == sorted(s for _, s in now) or (grows and now[0][1] == 16)
            # A long is aligned as one, wherever it is.
            aligned = all(a % 8 == 0 for a, size in now if size >= 8)
            if not sizes or not aligned:
                problems.append(f"{where}: {symbol} was {copies}, is {now}")
        ran = run(f"./{out}", check=False)
        if ran.returncode or ran.stdout != expected:
            problems.append(f"{where}: ran with {ran.returncode}: {ran.stdout}")
        os.unlink(out)

print("\n".join(problems) or f"{links - refused} links hold" + (f", {refused} were refused" if may_refuse else ""))
sys.exit(bool(problems))
