"""Variables and fields are called by what they hold: no preposition and no
pronoun is a name. Usage: check_names.py SOURCE [FILE...]

Without files, looks at all of the source."""

import pathlib
import re
import sys

WORDS = "Of From At Each What To By How In On With Its Which Who Where Both As Against Why Here When Beside Near Through".split()
source = pathlib.Path(sys.argv[1])
files = [pathlib.Path(name) for name in sys.argv[2:]]
chosen = not files
if chosen:
    for folder in ("include", "lib", "tools", "test/unit"):
        for path in sorted((source / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                files.append(path)


def blank(found):
    return re.sub(r"[^\n]", " ", found[0])


problems = []
for path in files:
    text = path.read_text()
    # Comments, strings, and what a test is called.
    code = re.sub(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\bTEST\w*\([^)]*\)', blank, text, flags=re.S)
    # Enumerators: Balancing::On, and where it is declared.
    code = re.sub(r"\benum (?:class|struct)[^{;]*\{[^}]*\}", blank, code)
    for word in re.finditer(rf"(?<!::)\b({'|'.join(WORDS)})\b(?!::)", code):
        line = code.count("\n", 0, word.start()) + 1
        problems.append(f"{path.relative_to(source) if chosen else path.name}:{line}: '{word[1]}' says how something is reached, not what it is")

if chosen and len(files) < 300:
    problems.append(f"looked at only {len(files)} files: the folders have changed")
print("\n".join(problems) or f"{len(files)} files name what they hold")
sys.exit(bool(problems))
