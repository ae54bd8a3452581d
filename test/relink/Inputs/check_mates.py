"""After edits everybody else has the line-mates that they had, except for those
that left: check_mates.py CLANG PLUGIN LINKER FOLDER [FLAG...]
Forty objects of all sizes and kinds, all touched by two threads; linesman diff
compares. Who moved away may be missing; nobody may be new."""

import json
import os
import pathlib
import random
import subprocess
import sys

clang, plugin, linker, folder, *flags = sys.argv[1:]
pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
os.chdir(folder)


def run(*command, codes=(0,)):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


def write_units(seed):
    """Two units of objects; the second also has copies of the inline ones."""
    choose = random.Random(seed)
    names = []
    for unit in range(2):
        text = ["#include <cstdio>", "#include <thread>"]
        own = []
        for i in range(20):
            size = choose.choice([1, 2, 4, 8, 12, 24, 40, 64, 100, 200, 256])
            value = choose.choice(["", " = {1}"])
            align = choose.choice(["", "", "alignas(16) ", "alignas(32) "])
            kind = choose.choice(["", "", "", "static "])
            own.append(f"u{unit}_{i}")
            text.append(f"{align}{kind}char u{unit}_{i}[{size}]{value};")
        for i in range(4):
            text.append(f"inline long shared_{i}[{i + 1}] = {{{i}}};")
        touches = "".join(f"__atomic_fetch_add(&{n}[0], 1, 0);" for n in [*own, *[f"shared_{i}" for i in range(4)]])
        text.append(f"void work{unit}() {{ {touches} }}")
        if unit == 1:
            text.append("void work0();\nstatic void all() { for (int i = 0; i < 9; ++i) { work0(); work1(); } }")
            text.append('int main() { std::thread a(all), b(all); a.join(), b.join(); std::printf("%ld %d\\n", shared_3[0], u1_3[0]); }')
        pathlib.Path(f"unit{unit}.cpp").write_text("\n".join(text) + "\n")
        run(clang, "-O1", "-std=c++17", "-fdata-sections", "-ffunction-sections", f"-fpass-plugin={plugin}", *[f for f in flags if f.startswith("-f")], "-c", f"unit{unit}.cpp")
        names += own
    moved = choose.sample(names, 6)
    return moved[:3] + ["shared_1"], [*moved[3:], "shared_2"]


def name_of(mate):
    return mate if isinstance(mate, str) else mate["symbol"]


links = 0
for seed in range(3):
    isolated, grouped = write_units(seed)
    link = [clang, f"-fuse-ld={linker}", *flags, "unit0.o", "unit1.o", "-pthread"]
    run(*link, "-o", "app")
    expected = run("./app")
    for line in ("64", "128"):
        edits = [*(f"--isolate={n}" for n in isolated), f"--group={','.join(grouped)}"]
        # Once with an output to learn from, once without.
        for known in ("app", "other"):
            run("linesman", "relink", f"--line-size={line}", *edits, "-o", "edited", "--", *link, "-o", known)
            links += 1
            assert run("./edited") == expected
            sections = {w[-1]: w[-2].lower() for w in (r.split() for r in run("llvm-nm", "edited").splitlines())}
            changes = json.loads(run("linesman", "diff", f"--line-size={line}", "--format=json", "app", "edited", codes=(0, 1)))["objects"]
            moved = {*isolated, *grouped}
            seen = set()
            for change in changes:
                name = change["symbol"]
                seen.add(name)
                allowed = set(grouped) if name in grouped else set()
                gained = {name_of(m) for m in change["gained"]} - allowed
                # Between .data and .bss is a new section: they meet no longer.
                lost = {name_of(m) for m in change["lost"] if name not in moved} - moved
                lost = {m for m in lost if sections.get(m, "") == sections[name]}
                assert not gained and not lost, f"seed {seed}, {linker}, {line}, {known}: {name} gained {gained}, lost {lost}"
            assert seen & moved, "nothing changed"
            os.unlink("edited")
print(f"{links} links keep line-mates")
