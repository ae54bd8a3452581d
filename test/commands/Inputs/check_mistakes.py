"""What people mistype, and what they are told: each file of mistakes/ has command
lines with the exit code and the message that are expected.

    linesman layout --formt=json app
    2: unknown option '--formt'; did you mean '--format'?; see 'linesman layout --help'

A message has more lines where it has. Every command has at least 25, among them a
mistyped option, a mistyped format where it has one, and a mistyped name where it
takes one, with what was meant. Usage:
check_mistakes.py CLANG PLUGIN SCRATCH [--update]"""

import concurrent.futures
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

clang, plugin, scratch = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
update = "--update" in sys.argv
folder = pathlib.Path(__file__).parent / "mistakes"

shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
PROGRAM = """
long hot, log_level;
void *worker(void *Argument) { for (;;) { if (log_level) return Argument; ++hot; } }
void *(*volatile started)(void *) = worker;
int main(int Count, char **Words) { log_level = 1; worker(Words); return Count == 99; }
"""
(scratch / "main.c").write_text(PROGRAM)


def make(*command):
    subprocess.run(command, cwd=scratch, check=True, stdin=subprocess.DEVNULL)


make(clang, "-O2", "-g", "-fdata-sections", f"-fpass-plugin={plugin}", "-c", "main.c", "-o", "main.o")
make(clang, "main.o", "-o", "app")
make("strip", "-o", "stripped", "app")
make(clang, "-O0", "-g", f"-fpass-plugin={plugin}", "main.c", "-o", "unoptimised")
(scratch / "truncated").write_bytes((scratch / "app").read_bytes()[:1000])
(scratch / "empty").touch()
(scratch / "text").write_text("no binary\n")
for name in ("dir", "emptydir"):
    (scratch / name).mkdir()
make("linesman", "layout", "--format=json", "-o", "report.json", "app")
make("linesman", "lock", "-o", "lock.json", "app")
make("linesman", "plan", "-o", "plan.json", "app")
before = {path.name: path.read_bytes() for path in scratch.iterdir() if path.is_file()}


def run(line):
    done = subprocess.run(shlex.split(line), cwd=scratch, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    said = done.stderr.strip()
    said = said.removeprefix("linesman: error: ").replace(str(scratch.resolve()), "SCRATCH")
    # Sizes of what a compiler made.
    said = re.sub(r"e_shoff = 0x[0-9a-f]+", "e_shoff = 0xN", said)
    said = re.sub(r"\(\d+ objects searched\)", "(N objects searched)", said)
    return f"{done.returncode}: {said}"


# Commands without options, and those that look names of objects up in a file.
PLAIN = {"explain", "help", "place"}
NAMED = {"bisect", "explain", "help", "layout", "relink", "run", "watch"}


def lacks(command, entries):
    """What people mistype and no mistake of this command has."""
    lines = [line for line, _ in entries]
    if len(set(lines)) < 25:
        yield f"{len(set(lines))} different mistakes, expected at least 25"
    for line in {line for line in lines if lines.count(line) > 1}:
        yield f"twice: {line}"
    meant = [message for _, message in entries if "; did you mean '" in message]
    if command not in PLAIN and not any("unknown option" in message for message in meant):
        yield "no mistyped option that is told what was meant"
    usage = subprocess.check_output(["linesman", command, "--help"], text=True)
    if "  --format=" in usage and not any("--format=" in message.split(";")[0] for message in meant):
        yield "no mistyped format that is told what was meant"
    if command in NAMED and all("unknown option" in message or ": expected " in message for message in meant):
        yield "no mistyped name that is told what was meant"


problems, total = [], 0
usage = subprocess.check_output(["linesman", "--help"], text=True)
commands = re.findall(r"^  ([\w-]+)", usage.split("commands:")[1].split("\n\n")[0], re.M)
for command in commands:
    path = folder / f"{command}.txt"
    entries = re.findall(r"^(linesman .*)\n(\d: (?:.*\n)+?)(?=\n|\Z)", path.read_text(), re.M) if path.exists() else []
    if not update:
        problems += [f"{path.name}: {lack}" for lack in lacks(command, entries)]
    total += len(entries)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run, [line for line, _ in entries]))
    if update:
        path.write_text("\n".join(f"{line}\n{said}\n" for (line, _), said in zip(entries, results)))
        continue
    for (line, expected), said in zip(entries, results):
        if said != expected.strip():
            problems.append(f"{line}\n  said     {said}\n  expected {expected.strip()}")
        if not line.startswith(f"linesman {command}"):
            problems.append(f"{path.name}: another command's: {line}")
        if not re.match(r"[12]: .", said):
            problems.append(f"{line}: no failure with a message: {said}")

after = {path.name: path.read_bytes() for path in scratch.iterdir() if path.is_file()}
for name in sorted(set(before) | set(after)):
    if before.get(name) != after.get(name):
        problems.append(f"a mistake changed or made the file {name}")
print("\n".join(problems) or f"{total} mistakes of {len(commands)} commands have their message")
sys.exit(bool(problems))
