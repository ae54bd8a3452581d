"""Runs the fuzz targets from their seeds: those of test/fuzz/seeds, and those made
here of a small program with facts. Each for LENGTH: so many seconds, or as in
"150x" so many inputs, the same ones every time. "60s" are 60 seconds of the same
inputs every time, of which a slow machine comes to fewer.

    fuzz.py BUILD WORK LENGTH CLANG FACTS_PLUGIN [NAME...]

Five targets at once on two processors: seconds are of the clock. A find
is left in WORK/NAME/finds. Prints a line a target; exit code 1 on a find."""

import concurrent.futures
import lzma
import os
import re
import shutil
import struct
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../FactsPass/Inputs"))
import dump_facts  # noqa: E402
# So that a starved processor is no find, nor 1 GiB of zeros that an object may
# promise.
LIMITS = ["-timeout=60", "-rss_limit_mb=4096"]
# What is longer makes runs slow and finds nothing more.
LONGEST = {"binary": 65536, "object": 32768, "code": 512, "names": 512}


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)


def section(objcopy, path, name):
    out = path + name
    subprocess.run([objcopy, f"--dump-section={name}={out}", path, "/dev/null"], check=True)
    with open(out, "rb") as f:
        return f.read()


def expanded(facts):
    """Contributions without compression, which hides the records from the fuzzer."""
    result = b""
    while facts:
        size = struct.unpack_from("<I", facts, 8)[0]
        plain = b"".join(struct.pack("<HI", kind, len(payload)) + payload for kind, payload in dump_facts.records(facts[12:size]))
        result += facts[:8] + struct.pack("<I", 12 + len(plain)) + plain
        facts = facts[size:]
    return result


def make_seeds(work, clang, plugin):
    """Seeds of the targets that read what a compiler writes, by target."""
    objcopy = os.path.join(os.path.dirname(clang), "llvm-objcopy")
    for target in ("x86_64", "aarch64"):
        base = os.path.join(work, target)
        flags = [clang, f"--target={target}-linux-gnu", "-O1", "-g", "-fdata-sections", "-ffreestanding", *(["-mno-outline-atomics"] if target == "aarch64" else []), f"-fpass-plugin={plugin}"]
        subprocess.run([*flags, "-c", f"{here}/Inputs/seed.c", "-o", base + ".o"], check=True)
        subprocess.run([*flags, "-fuse-ld=lld", "-nostdlib", "-static", "-Wl,-e,main", base + ".o", "-o", base], check=True)
        with open(base + ".o", "rb") as f:
            compiled = f.read()
        with open(base, "rb") as f:
            linked = f.read()
        write(f"{work}/object/seeds", target, b"\x06\x08\x03\x10" + compiled)
        write(f"{work}/binary/seeds", target, linked)
        write(f"{work}/binary/seeds", target + ".o", compiled)
        # MiniDebugInfo without a checksum, so that what changes is read.
        write(work, target + ".mini", lzma.compress(linked, check=lzma.CHECK_NONE))
        subprocess.run([objcopy, "--strip-all", f"--add-section=.gnu_debugdata={base}.mini", base, base + ".stripped"], check=True)
        with open(base + ".stripped", "rb") as f:
            write(f"{work}/binary/seeds", target + ".stripped", f.read())
        facts, strings = section(objcopy, base, ".debug_linesman"), section(objcopy, base, ".debug_linesman_str")
        plain = expanded(facts)
        assert len(plain) > len(facts), "no compressed record in the seed"
        for name, seed in ((target, facts), (target + ".plain", plain)):
            write(f"{work}/facts/seeds", name, len(seed).to_bytes(2, "little") + seed + strings)
        write(f"{work}/code/seeds", target, bytes([target == "aarch64"]) + section(objcopy, base, ".text")[:500])
    request = b"\0" * 40
    write(f"{work}/requests/seeds", "requests", b"".join(request[:6] + bytes([kind]) + request[7:] for kind in range(10)))


def run(name, build, work, length):
    """The last lines of a target that found something; otherwise how many runs."""
    folder = os.path.join(work, name)
    os.makedirs(f"{folder}/corpus", exist_ok=True)
    os.makedirs(f"{folder}/finds", exist_ok=True)
    saved = os.path.join(here, "seeds", name)
    if os.path.isdir(saved):
        shutil.copytree(saved, f"{folder}/seeds", dirs_exist_ok=True)
    number = length.rstrip("xs")
    command = [
        os.path.join(build, "fuzz", "fuzz-" + name),
        f"-runs={number}" if length.endswith("x") else f"-max_total_time={number}",
        *(["-seed=1"] if length != number else []), *LIMITS, "-print_final_stats=1",
        f"-max_len={LONGEST.get(name, 4096)}", f"-artifact_prefix={folder}/finds/",
        f"{folder}/corpus", f"{folder}/seeds",
    ]
    result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder)
    text = result.stderr.decode(errors="replace")
    count = re.search(r"number_of_executed_units: (\d+)", text)
    if result.returncode or not count:
        return None, "\n".join(text.splitlines()[-40:])
    return int(count[1]), ""


def main():
    build, work, length, clang, plugin, *names = sys.argv[1:]
    folder = os.path.join(build, "fuzz")
    names = names or sorted(f[len("fuzz-"):] for f in (os.listdir(folder) if os.path.isdir(folder) else []) if f.startswith("fuzz-"))
    if not names:
        sys.exit(f"fuzz.py: {folder} has no fuzz targets; build the asan preset")
    build, work = os.path.abspath(build), os.path.abspath(work)
    os.makedirs(work, exist_ok=True)
    make_seeds(work, clang, plugin)
    failed = False
    with concurrent.futures.ThreadPoolExecutor((os.cpu_count() or 1) * 5 // 2) as pool:
        for name, (count, find) in zip(names, pool.map(lambda name: run(name, build, work, length), names)):
            print(f"{name}: {count} inputs" if count else f"{name}: a find\n{find}", flush=True)
            failed |= not count
    sys.exit(failed)


main()
