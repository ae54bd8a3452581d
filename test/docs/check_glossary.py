"""Every word that the program prints for a value has its line in
docs/glossary.md. Usage: check_glossary.py SOURCE

Words are what a function returns for each case of an enumeration, or for either
of two, and the kinds of edits. A word is explained where it is a term of the first column: what only
the explanation of another word names, 'linesman explain' can only answer with
that other word."""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
# Names of the kernel's calls, and of the verdict's unit.
NO_WORDS = {"mbind", "madvise", "userfaultfd", "seconds"}

words = {}
for folder in ("lib", "tools"):
    for path in sorted((source / folder).rglob("*.cpp")):
        if {"Tidy", "FactsPass", "Record"} & set(path.parts):
            continue
        text = path.read_text()
        found = re.findall(r'case [\w:]+:\s+return "([a-z]+(?:-[a-z]+)*)";', text)
        for pair in re.findall(r'return [^;"]*\?\s*"([a-z]+(?:-[a-z]+)*)"\s*:\s*"([a-z]+(?:-[a-z]+)*)";', text):
            found += pair
        for body in re.findall(r"^StringRef outcomeOf\(.*?^}", text, re.M | re.S):
            found += re.findall(r'return "([a-z]+(?:-[a-z]+)*)";', body)
        found += re.findall(r'\{EditKind::\w+, "([a-z-]+)"\}', text)
        for word in found:
            words.setdefault(word, path.relative_to(source))

explained = set()
for terms in re.findall(r"^\| (.+?) \| .+ \|$", (source / "docs/glossary.md").read_text(), re.M):
    explained.update(term.strip("` ") for term in terms.split(","))

problems = [
    f"docs/glossary.md does not explain '{word}' ({path})"
    for word, path in sorted(words.items())
    if word not in NO_WORDS and word not in explained and word.replace("-", " ") not in explained
]
if len(words) < 30 or len({str(path) for path in words.values()}) < 5:
    problems.append(f"read only {len(words)} words of {len(set(words.values()))} files: the functions have changed")
print("\n".join(problems) or f"{len(words)} words are explained")
sys.exit(bool(problems))
