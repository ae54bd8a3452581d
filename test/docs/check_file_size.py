"""Fails on source files over the hard limit; names those over the soft one. The
command line has limits of its own: what has no option in it is a library's."""

import pathlib
import sys

SOFT, HARD = 400, 600
COMMAND, COMMANDS = 200, 3500
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
tool = {path: length for path, length in lengths.items() if path.parts[:2] == ("tools", "linesman")}
assert len(tool) > 20, "tools/linesman has moved"
too_long = [path for path, length in tool.items() if length > COMMAND]
for path in too_long:
    print(f"{path}: {tool[path]} lines, over the limit of {COMMAND} for a command")
if sum(tool.values()) > COMMANDS:
    print(f"tools/linesman: {sum(tool.values())} lines, over the limit of {COMMANDS}")
sys.exit(any(length > HARD for length in lengths.values()) or bool(too_long) or sum(tool.values()) > COMMANDS)
