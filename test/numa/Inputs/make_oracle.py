"""Writes the oracle workload: a program in the shape of examples/nil_root, with
many static objects, of which some make it slow when their page is on another
node than 0. It asks the kernel where their pages really are. Whatever it prints
is simulated.

    make_oracle.py PAGES OBJECTS_A_PAGE >oracle.c
"""

import sys

pages, each = int(sys.argv[1]), int(sys.argv[2])
size = 4096 // each // 16 * 16
names = [f"object_{page}_{index}" for page in range(pages) for index in range(each)]
print("/* Made by make_oracle.py. */")
for name in names:
    print(f"char {name}[{size}];")
print("static char *const objects[] = {")
for name in names:
    print(f"    {name},")
print("};")
print(f"enum {{ OBJECTS = {len(names)}, OBJECTS_A_PAGE = {each} }};")
print(open(sys.argv[0].replace("make_oracle.py", "oracle_body.c")).read())
