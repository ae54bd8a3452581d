# Weights of a report on spins.c.
import sys

from written import read_written

written = read_written(sys.argv[1])
once = written["plain"]
for name in ("waited", "gave_way"):
    assert once / 8 < written[name] <= once, name
for name in ("behind", "read_again"):
    assert once / 1.5 < written[name] < once * 1.5, name
for name in ("lock", "other"):
    assert once <= written[name] <= once * 4, name
assert written["worked"] >= once * 4
