"""The pages of the checks show what the checks say: the code of each page, in the
frame of Inputs/CHECK.cpp or .c that makes a unit of it (at the line PAGE), is
checked, and the warnings are those of its comments, each above its comment and
below the one before.
Usage: check_pages.py SOURCE CLANG_TIDY PLUGIN FOLDER"""

import pathlib
import re
import subprocess
import sys

source, clang_tidy, plugin, folder = sys.argv[1:5]
source, folder = pathlib.Path(source), pathlib.Path(folder)
frames = pathlib.Path(__file__).parent / "Inputs"
folder.mkdir(parents=True, exist_ok=True)
problems, warnings = [], 0


def quoted(lines):
    """(line, message) of each comment that begins with "warning: "."""
    result, at = [], 0
    while at < len(lines):
        text = lines[at].strip()
        if text.startswith("// warning: "):
            place, words = at, [text.removeprefix("// warning: ")]
            while at + 1 < len(lines) and lines[at + 1].strip().startswith("// "):
                at += 1
                words.append(lines[at].strip().removeprefix("// "))
            result.append((place, " ".join(words)))
        at += 1
    return result


pages = sorted(path for path in (source / "docs/checks").glob("*.md") if path.stem != "README")
for page in pages:
    block = re.search(r"^```c(?:pp)?\n(.*?)^```", page.read_text(), re.S | re.M)[1]
    frame = next((frames / f"{page.stem}{end}" for end in (".cpp", ".c") if (frames / f"{page.stem}{end}").exists()), None)
    if not frame:
        problems.append(f"{page.name}: Inputs has no frame for its code")
        continue
    unit = folder / frame.name
    unit.write_text(frame.read_text().replace("PAGE\n", block))
    done = subprocess.run(
        [clang_tidy, "--load", plugin, f"--checks=-*,linesman-{page.stem}", unit, "--"], capture_output=True, text=True
    )
    said = [
        (int(line) - 1, message)
        for line, message in re.findall(rf"^{re.escape(str(unit))}:(\d+):\d+: (?:warning|error): (.*?) \[.*$", done.stdout, re.M)
    ]
    shown = [(place, message) for place, message in quoted(unit.read_text().splitlines())]
    warnings += len(shown)
    if not shown:
        problems.append(f"{page.name} shows no warning")
    said.sort()
    ends = [0] + [place for place, _ in shown]
    holds = len(said) == len(shown) and all(
        message == quote and ends[at] <= place < ends[at + 1]
        for at, ((place, message), (_, quote)) in enumerate(zip(said, shown))
    )
    if not holds:
        problems.append(f"{page.name} shows\n  " + "\n  ".join(m for _, m in shown) + "\nand the check says\n  " + "\n  ".join(f"{n + 1}: {m}" for n, m in said) + done.stderr)

print("\n".join(problems) or f"{len(pages)} pages show {warnings} warnings of their checks")
sys.exit(bool(problems))
