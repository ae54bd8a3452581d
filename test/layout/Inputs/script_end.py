"""Writes a program whose object's name would end a script element."""

import sys

with open(f"{sys.argv[1]}.c", "w") as out:
    print('long a __asm__("</script><b>");\nlong b;\nvoid *run(void *x) { ++a; return (void *)b; }', file=out)
    print("int main(void) { a += b; return (long)run(0); }", file=out)
