"""Prints a finding as clang-tidy exports it, with replacements in FILE:
replace.py FILE [OFFSET LENGTH TEXT]..."""

import os
import sys

file = os.path.abspath(sys.argv[1])
print(f"""---
MainSourceFile: '{file}'
Diagnostics:
  - DiagnosticName: linesman-global-write
    DiagnosticMessage:
      Message: "'a' has static storage, and 'f' updates it: its cache line moves; keep one copy per thread [variable a, in f]"
      FilePath: '{file}'
      FileOffset: 0
      Replacements:""")
for offset, length, text in zip(*[iter(sys.argv[2:])] * 3):
    print(f"        - {{FilePath: '{file}', Offset: {offset}, Length: {length}, ReplacementText: '{text}'}}")
