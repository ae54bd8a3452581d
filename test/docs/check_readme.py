"""Runs what README.md tells people to run, and holds its quoted output against
what the commands print now. With --update, rewrites the quotes instead, but for
speeds: those are of a machine with nothing else to do, and --update-speeds takes
them anew.
Usage: check_readme.py SOURCE BUILD SCRATCH [--update | --update-speeds]"""

import pathlib
import re
import shutil
import subprocess
import sys

source, build, scratch = (pathlib.Path(arg).resolve() for arg in sys.argv[1:4])
update_speeds = "--update-speeds" in sys.argv
update = "--update" in sys.argv or update_speeds
readme = source / "README.md"
text = readme.read_text()
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
problems = []


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed with {done.returncode}:\n{done.stdout}")
    return done.stdout


def masked(quote):
    """Without what may differ from machine to machine: speeds, and addresses,
    which move with every release of the tool chain."""
    lines = []
    for line in quote.strip().splitlines():
        if "M/s" in line:
            line = re.sub(r" *\d+\.\d+", " N", line)
        lines.append(re.sub(r"0x[0-9a-f]+", "0xN", line))
    return "\n".join(lines)


def check_ratios(quote, whose):
    """Speeds differ; what is quoted of them is what they say: the last column is
    the one before it, over that of the first line."""
    rows = re.findall(r"^(\S+) +(\S+) M/s +(\S+) M/s +(\S+)$", quote, re.M)
    if len(rows) < 3:
        problems.append(f"{whose}: {len(rows)} lines of speeds, expected at least 3")
        return
    base = float(rows[0][2])
    for name, _, speed, ratio in rows:
        # Speeds have one decimal, ratios two.
        least, most = (float(speed) - 0.05) / (base + 0.05) - 0.005, (float(speed) + 0.05) / (base - 0.05) + 0.005
        if not least <= float(ratio) <= most:
            problems.append(f"{whose}: {name} is said to be {ratio} of {rows[0][0]}, and {speed} M/s is {float(speed) / base:.2f} of {base} M/s")


def keep_speeds(fresh, quote):
    """The fresh text with the lines of speeds that the quote has."""
    if update_speeds:
        return fresh
    old = {line.split()[0]: line for line in quote.splitlines() if "M/s" in line}
    return "\n".join(old.get(line.split()[0], line) if "M/s" in line else line for line in fresh.splitlines())


def check_loss(quote, text):
    """The sentence below the speeds says what they say."""
    said = re.search(r"lost (\w+) (\w+?)s? of its speed", text)
    numbers = {word: n + 1 for n, word in enumerate("one two three four five six seven eight nine".split())}
    parts = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10}
    speeds = dict(re.findall(r"^(\S+) +\S+ M/s +(\S+) M/s", quote, re.M))
    if not said or said[2] not in parts or {"store", "store-guarded"} - speeds.keys():
        problems.append("README.md does not say how much of its speed the store lost")
        return
    lost = 1 - float(speeds["store"]) / float(speeds["store-guarded"])
    if abs(lost - numbers[said[1]] / parts[said[2]]) > 0.03:
        problems.append(f"README.md says that the store '{said[0]}', and the speeds above say {lost:.2f}")


# 1. The whole story, in the example's own page.
page = source / "examples/nil_root/README.md"
whole = page.read_text()
quoted = re.search(r"<!-- output of: (\S+) -->\n```\n(.*?)```\n", whole, re.S)
actual = run("bash", source / quoted[1], build, scratch / "story", cwd=scratch)
if update:
    fresh = keep_speeds(actual.strip(), quoted[2])
    page.write_text(whole.replace(quoted[0], f"<!-- output of: {quoted[1]} -->\n```\n{fresh}\n```\n"))
elif masked(quoted[2]) != masked(actual):
    problems.append(f"{page.name} of {page.parent.name} quotes another output of {quoted[1]} than this:\n{actual}")
check_ratios(actual, quoted[1])
if not update:
    check_ratios(quoted[2], str(page))

# 2. Lines of it in README.md; a line of three dots stands for some.
printed = actual.strip().splitlines()
quotes = 0
for marker, script, quote in re.findall(r"(<!-- lines of: (\S+) -->\n```\n(.*?)```\n)", text, re.S):
    quotes += 1
    fresh, at = [], 0
    for part in quote.strip("\n").split("\n...\n"):
        wanted = [masked(line) for line in part.splitlines()]
        found = next(
            (n for n in range(at, len(printed)) if [masked(line) for line in printed[n : n + len(wanted)]] == wanted), None
        )
        if found is None:
            problems.append(f"README.md quotes lines that {script} does not print in this order:\n{part}")
            break
        at = found + len(wanted)
        fresh.append("\n".join(printed[found:at]))
    else:
        if update:
            lines = keep_speeds("\n...\n".join(fresh), quote)
            text = text.replace(marker, f"<!-- lines of: {script} -->\n```\n{lines}\n```\n")
    if not update and "M/s" in quote:
        check_ratios(quote, "README.md")
        check_loss(quote, text)
if quotes < 2:
    problems.append(f"README.md quotes {quotes} outputs, expected the costs and a report")
if update:
    readme.write_text(text)

# 3. The first block names the two commands; this test runs in the second.
blocks = re.findall(r"```sh\n(.*?)```", text, re.S)
for command in blocks[0].splitlines():
    script = source / command.split()[1]
    run("bash", "-n", script, cwd=source)

# 4. The other blocks run as they stand: the second makes a folder of the checkout,
# and each role's block runs in one of its own.
checkout = scratch / "checkout"
checkout.mkdir()
(checkout / "build").symlink_to(build)
(checkout / "examples").symlink_to(source / "examples")
roles = re.findall(r"^\*\*You (review code|own the build|hunt a slow server)\.\*\*.*?```sh\n(.*?)```", text, re.S | re.M)
if len(roles) != 3 or len(blocks) != 5:
    problems.append(f"README.md has {len(roles)} quick starts of roles and {len(blocks)} blocks, expected 3 and 5")
# What each says, in its order: a user sees the hazard, and no command only looks.
EXPECTED = {
    "review code": ["writes 'requests' here", "linesman-adjacent-writers", "adjacent-writers"],
    "own the build": ["no finding is new or worse", "1 accepted finding not shown"],
    "hunt a slow server": [
        "what works here", "1. requests", "requests: ", "requests: alone on its line", "metric: seconds", ": requests",
        "Run it again",
    ],
}
for role, block in roles:
    folders = scratch / role.replace(" ", "-")
    folders.mkdir()
    said = run("bash", "-euc", f"export TMPDIR={folders}\n{blocks[1]}\n{block}", cwd=checkout)
    at = 0
    for wanted in EXPECTED[role]:
        found = said.find(wanted, at)
        if found < 0:
            problems.append(f"README.md, 'You {role}': expected '{wanted}' in what the commands say:\n{said}")
            break
        at = found + len(wanted)
print("\n".join(problems) or f"README.md holds: {len(blocks)} blocks of commands, {quotes} quotes")
sys.exit(bool(problems))
