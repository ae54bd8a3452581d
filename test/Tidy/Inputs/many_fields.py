#!/usr/bin/env python3
"""Prints a unit with a record of N atomic counts, each beside a plain field, and
two functions for each pair: many_fields.py N"""

import sys

numbers = range(int(sys.argv[1]))
print("struct Counts {")
for n in numbers:
    print(f"  _Atomic long a{n};\n  long b{n};")
print("};")
for n in numbers:
    print(f"void count{n}(struct Counts *C) {{ C->a{n}++; }}")
    print(f"long read{n}(const struct Counts *C) {{ return C->b{n}; }}")
