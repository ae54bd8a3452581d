"""docs/hacking.md names files, folders and identifiers that are there, and what
it tells people to touch was touched for all that was added: each command, check,
record of facts and fixture is at every place. Usage: check_hacking.py SOURCE"""

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


def read(path):
    return (source / path).read_text()


def require(is_there, what, place):
    if not is_there:
        problems.append(f"{what} is not in {place}")


# A command whose tests are beside those of another.
TESTED_WITH = {"lock": "diff", "record": "Watch", "tidy": "tidy-command"}
commands = re.findall(r'^COMMAND\("(\w+)"', read("tools/linesman/Commands.def"), re.M)
folders = {path.name.lower() for path in (source / "test").iterdir() if any(path.glob("*.test"))}
tool = "".join(path.read_text() for path in (source / "tools/linesman").glob("*.cpp"))
for command in commands:
    folder = TESTED_WITH.get(command, command)
    require(f"run{command.capitalize()}(" in tool, f"linesman {command}", "a file of tools/linesman")
    require(f"\n## linesman {command}" in read("docs/cli.md"), f"linesman {command}", "docs/cli.md")
    require(folder.lower() in folders, f"linesman {command}", f"test/{folder}, a folder with tests")
    require(f'    "{command}": ' in read("test/commands/Inputs/bad_options.py"), f"linesman {command}", "bad_options.py")
    require((source / f"test/commands/Inputs/mistakes/{command}.txt").exists(), f"linesman {command}", "test/commands/Inputs/mistakes")

# checks_in_sync.py compares pages, tests and sentences of checks.
rows = re.findall(r'^    \{"linesman-([\w-]+)", Sharing', read("include/linesman/Layout/Checks.h"), re.M)
registered = re.findall(r'^    \{"linesman-([\w-]+)", make<', read("lib/Tidy/LinesmanTidyModule.cpp"), re.M)
for check in sorted({*rows, *registered}):
    require(check in rows, check, "include/linesman/Layout/Checks.h")
    require(check in registered, check, "lib/Tidy/LinesmanTidyModule.cpp")
    require(f"linesman-{check}\"" in read("lib/Report/Rules.cpp"), check, "lib/Report/Rules.cpp")
    require(any((source / "test/docs/Inputs").glob(f"{check}.c*")), check, "test/docs/Inputs")

kinds = read("include/linesman/Facts/Format.h").split("enum class RecordKind")[1].split("\n};")[0]
kinds = re.findall(r"^  (\w+) = (\d+),", kinds, re.M)
documented = dict(re.findall(r"^\| (\d+) ([\w -]+?) \|", read("docs/facts-format.md"), re.M))
decoders = "".join(path.read_text() for path in (source / "lib/Facts").glob("*.cpp"))
for kind, number in kinds:
    require(number in documented, f"record {number}, {kind},", "docs/facts-format.md")
    require(f"RecordKind::{kind}" in decoders, f"record {kind}", "lib/Facts")
if set(documented) - {number for _, number in kinds}:
    problems.append("docs/facts-format.md describes a record that include/linesman/Facts/Format.h does not have")

formats = re.findall(r"^  (\w+),?$", read("include/linesman/Report/Deliver.h").split("enum class Format")[1].split("};")[0], re.M)
for name in formats:
    require(f"Format::{name}," in read("tools/linesman/SharedOptions.h"), f"the format {name}", "tools/linesman/SharedOptions.h")
    require(re.search(rf"\b{name.lower()}\b", read("docs/cli.md")), f"the format {name}", "docs/cli.md")

# A fixture is named by who reads it: whole, without its ending, up to a hyphen
# where the rest is computed, or by its folder.
inputs = [path for path in (source / "test").glob("**/Inputs/**/*") if path.is_file() and "__pycache__" not in path.parts]
readers = [path for path in (source / "test").rglob("*") if path.suffix in {".test", ".py", ".sh", ".ll", ".c", ".cpp", ".s", ".txt", ".cfg", ".yaml"}]
text_of = {path: path.read_text(errors="ignore") for path in readers}
for path in inputs:
    folder = path.parent.name
    if path.parent == source / "test/docs/Inputs" and path.stem in rows:
        continue
    spellings = [re.escape(path.name), re.escape(path.stem) + r"(?!\w)", re.escape(path.stem.split("-")[0]) + r"-[{%$]"]
    if folder != "Inputs":
        spellings.append(rf"Inputs/(?:[\w-]+/)*{re.escape(folder)}|[\"/ ]{re.escape(folder)}[\"/ ]")
    is_named_by = re.compile(rf"(?<![\w.-])(?:{'|'.join(spellings)})")
    # Every spelling has one of these, and looking for them is cheap.
    parts = path.stem.split("-")[0], folder if folder != "Inputs" else path.stem
    texts = (text for reader, text in text_of.items() if reader != path and any(part in text for part in parts))
    if not any(is_named_by.search(text) for text in texts):
        problems.append(f"no test names the fixture {path.relative_to(source)}")

seen = {"commands": commands, "checks": rows, "kinds of record": kinds, "formats": formats, "fixtures": inputs}
for (what, found), least in zip(seen.items(), (20, 12, 19, 7, 150)):
    if len(found) < least:
        problems.append(f"saw only {len(found)} {what}: the form of a file has changed")
print("\n".join(problems) or f"{paths} paths and {names} names are there; " + ", ".join(f"{len(found)} {what}" for what, found in seen.items()))
sys.exit(bool(problems))
