"""Fails on source files over the hard limit; names those over the soft one."""

import pathlib
import sys

SOFT, HARD = 400, 600
root = pathlib.Path(sys.argv[1])
lengths = {
    path.relative_to(root): len(path.read_text().splitlines())
    for top in ("include", "lib", "tools", "test", "examples")
    for path in (root / top).rglob("*")
    if path.suffix in (".h", ".c", ".cpp", ".py", ".sh")
}
assert lengths, "no source files found"
for path, length in sorted(lengths.items()):
    if length > SOFT:
        print(f"{path}: {length} lines, {'over the limit of' if length > HARD else 'more than'} {HARD if length > HARD else SOFT}")
sys.exit(any(length > HARD for length in lengths.values()))
