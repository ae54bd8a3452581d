"""Calls every command with options that it does not have or can not read."""

import pathlib
import re
import subprocess
import sys
import tempfile

usage = subprocess.check_output(["linesman", "--help"], text=True)
commands = re.findall(r"^  ([\w-]+)", usage.split("commands:")[1].split("\n\n")[0], re.M)
# The least that is too little, too much, and no number.
BAD = {
    "layout": [[], ["a", "b"], ["--top=x", "a"], ["--page-size=1x", "a"], ["--format=x", "a"], ["--top"]],
    "lock": [[], ["a", "b"], ["--line-size=x", "a"]],
    "diff": [[]],
    "plan": [["a", "b"], ["--budget=x", "a"]],
    "relink": [["--page-size=x"]],
    "capture": [[]],
    "tidy": [["--fail-on=x"], ["--jobs=x"]],
    "findings": [["--from-tidy=a", "b"]],
    "run": [[]],
    "record": [[], ["--top=x", "--", "a"]],
    "place": [[], ["1"], ["1x", "all=0"]],
    "pages": [[], ["1x"], ["1", "2"]],
    "dirty": [[], ["1x"], ["1", "--rate=x"]],
    "ab": [[], ["--rounds=x", "a", "b"], ["--fail-on=x", "a", "b"]],
    "hunt": [["--pid=x"], ["--top=x", "--", "a"]],
    "scan": [["--jobs=x"]],
    "doctor": [["a"], ["--pid=x"]],
    "help": [["a", "b"], ["--describe=x"]],
    "explain": [["--word=a"]],
    "bisect": [["--live=x", "--", "a"], ["--pid=1x"]],
    "watch": [["--pid=x"], ["--budget=x"]],
}
problems = []
if set(BAD) != set(commands):
    problems.append(f"commands {commands}, tried {sorted(BAD)}")
for command, calls in BAD.items():
    for args in [["--frobnicate"], *calls]:
        result = subprocess.run(["linesman", command, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        form = rf"linesman: error: .*[^!.:]; see 'linesman {command} --help'\n"
        if result.returncode != 2 or result.stdout or not re.fullmatch(form, result.stderr):
            problems.append(f"{command} {args}: exit {result.returncode}, {result.stdout!r}, {result.stderr!r}")
        if re.search("ositional|argument|cl::", result.stderr):
            problems.append(f"{command} {args}: LLVM's words: {result.stderr!r}")

# Who works for long looks first where the result is to go.
with tempfile.TemporaryDirectory() as folder:
    ran = pathlib.Path(folder) / "ran"
    for command, args in {"bisect": [], "record": [], "watch": ["--symbol=x"]}.items():
        for path in (f"{folder}/none/x", folder):
            call = ["linesman", command, *args, "-o", path, "--", "touch", str(ran)]
            result = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if result.returncode != 2 or not result.stderr.startswith(f"linesman: error: '{path}': ") or ran.exists():
                problems.append(f"{call}: exit {result.returncode}, {result.stderr!r}, ran: {ran.exists()}")

print("\n".join(problems) or "all said it in one form")
sys.exit(bool(problems))
