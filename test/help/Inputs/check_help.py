"""Help, manual pages and completions against each other. Usage: check_help.py DOCUMENTS"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys

documents = pathlib.Path(sys.argv[1])
problems = []


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


usage = output("linesman", "--help")
commands = re.findall(r"^  ([\w-]+)", usage.split("commands:")[1].split("\n\n")[0], re.M)
completions = {"bash": "bash/linesman", "zsh": "zsh/_linesman", "fish": "fish/linesman.fish"}
texts = {shell: (documents / path).read_text() for shell, path in completions.items()}
reference = output("linesman", "help", "--describe-all=markdown")
options_seen = examples_seen = 0
for command in commands:
    text = output("linesman", command, "--help")
    if output("linesman", "help", command) != text:
        problems.append(f"linesman help {command} is not linesman {command} --help")
    purpose = re.match(rf"linesman {command}: (.+)\n\nusage: ", text)
    if not purpose or len(purpose[0].splitlines()[0]) > 80:
        problems.append(f"{command} --help does not begin with its purpose, on one line of 80 columns")
    elif not re.search(rf"^  {command} +{re.escape(purpose[1])}$", usage, re.M):
        problems.append(f"linesman --help does not say of {command}: {purpose[1]}")
    options = re.findall(r"^  (--?[\w-]+)", text.split("examples:")[0], re.M)
    # Each group is a heading and its options: nothing stands before the first.
    first = re.search(r"^usage: .*\n\n(.*)$", text, re.M)
    if options and not (first and first[1].endswith(":")):
        problems.append(f"{command} --help has options before any heading")
    options_seen += len(options)
    examples = re.findall(r"^  (linesman .*)", text.split("examples:")[-1], re.M)
    examples_seen += len(examples)
    if len(examples) < 3:
        problems.append(f"{command} --help has {len(examples)} examples, expected three")
    if "\nothers:" in text:
        problems.append(f"{command} --help has options in no group: {text.split('others:')[1].split('examples')[0].split()}")
    for example in examples:
        words = shlex.split(example.split("   ")[0].split(" -- ")[0])
        if words[1] != command:
            problems.append(f"{command} --help has an example of {words[1]}")
        for word in words[2:]:
            if word.startswith("-") and word.split("=")[0] not in options:
                problems.append(f"{command} --help: the example has {word}, which is no option")
    page = (documents / f"man/linesman-{command}.1").read_text()
    part = reference.split(f"\n## linesman {command}\n")[1].split("\n## ")[0]
    bash = re.search(rf"^  {command}\)\n(.*?)^    ;;", texts["bash"], re.M | re.S)
    for option in options:
        plain = option.replace("-", r"\-")
        if plain not in page:
            problems.append(f"linesman-{command}.1 does not have {option}")
        if f"`{option}" not in part:
            problems.append(f"the reference of {command} does not have {option}")
        if not bash or option not in bash[1]:
            problems.append(f"bash's completion of {command} does not have {option}")
        if not re.search(rf"seen_subcommand_from {command}' -[sl] {option.lstrip('-')} ", texts["fish"]):
            problems.append(f"fish's completion of {command} does not have {option}")
        if f"'{option}" not in texts["zsh"] and f"'*{option}" not in texts["zsh"]:
            problems.append(f"zsh's completion does not have {option}")
if options_seen < 80 or examples_seen < 30:
    problems.append(f"saw only {options_seen} options and {examples_seen} examples")


def complete(*words):
    """What bash offers for the last word."""
    script = (
        'compopt() { :; }; source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _linesman; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return output("bash", "-c", script, "bash", str(documents / completions["bash"]), *words).split()


for words, expected in [
    (("linesman", "la"), {"layout"}),
    (("linesman", "layout", "--fo"), {"--format="}),
    (("linesman", "layout", "--format", "=", "h"), {"html"}),
    (("linesman", "layout", "--format", "="), {"text", "json", "html"}),
    (("linesman", "watch", "--instrument", "=", "p"), {"perf", "ptrace"}),
]:
    if not expected <= set(complete(*words)):
        problems.append(f"bash completes {words} to {complete(*words)}, expected {sorted(expected)}")
# The shells' own parsers, where they are there.
for shell, path in completions.items():
    if shutil.which(shell) and subprocess.run([shell, "-n", str(documents / path)]).returncode:
        problems.append(f"{shell} cannot read {path}")

print("\n".join(problems) or f"{options_seen} options and {examples_seen} examples of {len(commands)} commands hold")
sys.exit(bool(problems))
