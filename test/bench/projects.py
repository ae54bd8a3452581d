# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the facts pass and the checks cost over a whole project, one of C and one
of C++, as Debian has their sources: processor time of all its compiles and the
size of its objects, with the pass and without; time of clang-tidy with all of our
checks, and with one trivial check of its own.

    projects.py BUILD [WORK [ROUNDS]]        exit code 77: no sources in reach"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from measure import Cost, Ratio, in_turn, median, ratio, row, run, seconds

# What is promised of objects and of clang-tidy is about units of 100,000 lines
# (facts-cost.sh, tidy-cost.sh): small ones have more globals a line, and the
# plugin's start counts.
TIME_BOUND = 1.02

here = pathlib.Path(__file__).resolve().parent
build = pathlib.Path(sys.argv[1]).resolve()
work = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
llvm = pathlib.Path("/usr/lib/llvm-22/bin")
OPTIONS = ["-O2", "-g", "-fdata-sections", "-w"]


def source(package):
    found = subprocess.run(["bash", here.parent / "fetch-source.sh", package, work], stdout=subprocess.PIPE, text=True)
    if found.returncode:
        sys.exit(found.returncode)
    return pathlib.Path(found.stdout.strip())


def memcached():
    folder = source("memcached")
    if not (folder / "config.h").exists():
        subprocess.run(["./configure"], cwd=folder, env=dict(os.environ, CC=str(llvm / "clang")), stdout=subprocess.DEVNULL, check=True)
    names = "memcached hash jenkins_hash murmur3_hash slabs items assoc thread daemon stats_prefix util cache bipbuffer base64 logger crawler itoa_ljust slab_automove slab_automove_extstore slabs_mover extstore crc32c storage proto_text proto_bin restart"
    units = [folder / f"{name}.c" for name in names.split()]
    return [unit for unit in units if unit.exists()], ["-std=gnu99", "-DHAVE_CONFIG_H", f"-I{folder}"]


def leveldb():
    folder = source("leveldb")
    configured = folder / "build"
    if not (configured / "include").exists():
        subprocess.run(["cmake", "-S", folder, "-B", configured, "-DLEVELDB_BUILD_TESTS=OFF", "-DLEVELDB_BUILD_BENCHMARKS=OFF",
                        f"-DCMAKE_C_COMPILER={llvm}/clang", f"-DCMAKE_CXX_COMPILER={llvm}/clang++"], stdout=subprocess.DEVNULL, check=True)
    units = [unit for part in ("db", "table", "util") for unit in sorted((folder / part).glob("*.cc"))
             if not unit.stem.endswith(("_test", "_bench", "testutil", "windows", "leveldbutil"))]
    return units, ["-std=c++17", "-DLEVELDB_PLATFORM_POSIX=1", f"-I{configured}/include", f"-I{folder}", f"-I{folder}/include"]


def compile_all(name, units, options):
    """Compiles unit after unit; their objects stay in WORK/NAME."""
    objects = work / name
    shutil.rmtree(objects, ignore_errors=True)
    objects.mkdir()
    costs = []
    for unit in units:
        compiler = llvm / ("clang" if unit.suffix == ".c" else "clang++")
        costs.append(run([compiler, *OPTIONS, *options, "-c", unit, "-o", objects / f"{unit.stem}.o"]))
    return Cost(sum(c.user for c in costs), sum(c.system for c in costs), sum(c.wall for c in costs), max(c.peak for c in costs))


def object_bytes(name):
    return sum(path.stat().st_size for path in (work / name).iterdir())


def tidy(units, options, checks):
    command = [llvm / "clang-tidy", "--load", build / "lib" / "linesman-tidy.so", f"--checks=-*,{checks}", "--quiet", *units, "--", *options, "-w"]
    return run(command, stderr=subprocess.DEVNULL)


within = True
for project in (memcached, leveldb):
    units, options = project()
    language = "C" if units[0].suffix == ".c" else "C++"
    case = f"{project.__name__}, {language}, {len(units)} units"
    plugin = f"-fpass-plugin={build}/lib/linesman-facts.so"
    costs = in_turn({"plain": lambda: compile_all("plain", units, options), "facts": lambda: compile_all("facts", units, [*options, plugin])}, rounds)
    within &= row("projects", case, f"compiled with the pass {seconds(median(costs['facts']))}", f"without {seconds(median(costs['plain']))}", ratio(costs["facts"], costs["plain"]), TIME_BOUND)
    sizes = object_bytes("facts"), object_bytes("plain")
    within &= row("projects", case, f"objects with facts {sizes[0]} bytes", f"without {sizes[1]}", Ratio(*[sizes[0] / sizes[1]] * 3))
    costs = in_turn({"one": lambda: tidy(units, options, "misc-unused-alias-decls"), "all": lambda: tidy(units, options, "misc-unused-alias-decls,linesman-*")}, rounds)
    within &= row("projects", case, f"clang-tidy with all checks {seconds(median(costs['all']))}", f"with one trivial check {seconds(median(costs['one']))}", ratio(costs["all"], costs["one"]))
sys.exit(not within)
