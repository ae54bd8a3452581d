"""docs/hacking.md names files, folders and identifiers that are there.
Usage: check_hacking.py SOURCE"""

import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
text = (source / "docs/hacking.md").read_text()
problems, paths, names = [], 0, 0


def exists(pattern):
    """`lib/Tidy/<Name>Check.*` and `test/<command>/` are there where any file
    fits; what stands at the end of a path alone is in the folder before it."""
    return any(source.glob(re.sub(r"<\w+>", "*", pattern.rstrip("/"))))


def is_named(identifier):
    words = ["grep", "-rqw", "--include=*.h", "--include=*.cpp", "--include=*.py", "--include=*.cfg", "--include=*.txt", identifier]
    return subprocess.run([*words, *(str(source / folder) for folder in ("include", "lib", "tools", "test", "CMakeLists.txt"))]).returncode == 0


for row in re.findall(r"^\| .* \|$|^[^|\n].*$", text, re.M):
    folder = None
    for quoted in re.findall(r"`([^`]+)`", row):
        words = quoted.split()
        if re.match(r"(?:bash|python3) ", quoted):
            words = [word for word in words if "/" in word and not word.startswith(("build", "numa"))]
        for word in words:
            word = word.rstrip(",.")
            if "/" in word or re.search(r"\.(?:h|cpp|py|md|ll|c|txt|run|test)$", word):
                if word.startswith(("build/", "numa/")):
                    continue
                paths += 1
                if not exists(word) and not (folder and exists(f"{folder}/{word}")):
                    # A tool's script is named without its folder.
                    if not any(source.rglob(word)):
                        problems.append(f"docs/hacking.md names {word}, which is not there")
                folder = str(pathlib.PurePath(word).parent) if "." in pathlib.PurePath(word).name else word.rstrip("/")
            elif re.fullmatch(r"[A-Z]\w+|[a-z]\w*[A-Z_]\w*", word):
                names += 1
                if not is_named(word):
                    problems.append(f"docs/hacking.md names {word}, which no source has")

if paths < 40 or names < 10:
    problems.append(f"read only {paths} paths and {names} names: the document's form has changed")
print("\n".join(problems) or f"{paths} paths and {names} names are there")
sys.exit(bool(problems))
