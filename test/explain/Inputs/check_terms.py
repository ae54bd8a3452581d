"""Each word of a list has a row of the glossary of its own: what linesman explain
prints for it begins with terms of which it is one. Usage: check_terms.py LIST"""

import pathlib
import subprocess
import sys

problems = []
words = pathlib.Path(sys.argv[1]).read_text().splitlines()
for word in words:
    said = subprocess.run(["linesman", "explain", word], capture_output=True, text=True)
    rows = [row.split(": ")[0].lower().split(", ") for row in said.stdout.splitlines()]
    # "cannot-tell" is JSON's way to write "cannot tell", and reports count things.
    forms = {word.lower(), word.lower().replace("-", " "), word.lower().removesuffix("s")}
    problems += [f"'{word}' is a word of {', '.join(terms)}" for terms in rows if not forms & set(terms)]
    if not rows:
        problems.append(f"'{word}': {said.stderr.strip()}")
print("\n".join(problems) or f"{len(words)} words have rows of their own")
sys.exit(bool(problems))
