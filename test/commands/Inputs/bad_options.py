"""Calls every command with options that it does not have or can not read."""

import re
import subprocess
import sys

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
    "findings": [[], ["--from-tidy=a", "b"]],
    "run": [[]],
    "record": [[], ["--top=x", "--", "a"]],
    "place": [[], ["1"], ["1x", "all=0"]],
    "pages": [[], ["1x"], ["1", "2"]],
    "dirty": [[], ["1x"], ["1", "--rate=x"]],
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

print("\n".join(problems) or "all said it in one form")
sys.exit(bool(problems))
