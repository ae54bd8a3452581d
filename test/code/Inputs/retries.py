# Weights of a report on retries.c, by machine code or by a compiler.
import sys

from written import read_written

written = read_written(sys.argv[2])
once = written["plain"]
assert once / 1.5 < written["merged"] < once * 1.5
assert written["searched"] >= once * 4
assert written["behind"] >= once * 1.5
if sys.argv[1] == "code":
    assert written.get("waited", 0) < once / 100
    assert written["missed"] >= once / 16
