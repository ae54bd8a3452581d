"""Fails unless what is read from stdin stands in a file, word for word but for
spaces at line ends: check_quoted.py FILE"""

import sys

strip = lambda text: [line.rstrip() for line in text.strip().splitlines()]
printed, quoted = strip(sys.stdin.read()), strip(open(sys.argv[1]).read())
assert printed, "nothing was printed"
if not any(quoted[at : at + len(printed)] == printed for at in range(len(quoted))):
    print(*printed, sep="\n")
    sys.exit(f"{sys.argv[1]} does not show this")
