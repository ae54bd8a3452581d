"""Fails where docs/control-protocol.md and the protocol's header differ in a
name or a value."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
header = (root / "include/linesman/Runtime/Protocol.h").read_text()
page = (root / "docs/control-protocol.md").read_text()

defined = {name: int(value) for name, value in re.findall(r"^  (LINESMAN_\w+) = (-?\d+)", header, re.M)}
told = {}
for row in re.findall(r"^\| `(LINESMAN_\w+)` \| (-?\d+) \|", page, re.M):
    told[row[0]] = int(row[1])
for name, value in re.findall(r"`(LINESMAN_\w+)` \((-?\d+)", page):
    told[name] = int(value)

problems = [f"{name} = {value} is not in the page" for name, value in defined.items() if name not in told]
problems += [f"{name} is not in the header" for name in told if name not in defined]
problems += [f"{name}: header {defined[name]}, page {told[name]}" for name in told if defined.get(name, told[name]) != told[name]]
for struct, size in (("linesman_request", 40), ("linesman_reply", 24)):
    if f"`{struct}` of {size} bytes" not in page or f"sizeof(struct {struct}) == {size}" not in (root / "lib/Runtime/handle.c").read_text():
        problems.append(f"{struct}: the size in the page is not the asserted one")
assert len(defined) > 30, "the header's form has changed"
print("\n".join(problems) or f"{len(defined)} names agree")
sys.exit(bool(problems))
