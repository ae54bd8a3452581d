# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws packages for scan-debian.sh.

    apt-cache dumpavail | scan_debian.py SEED      prints name and version

glibc has pthread_create under the version 2.34, so a package that imports it
depends on a libc6 at least as new: nothing else has to be downloaded to know."""

import hashlib
import re
import sys

# Servers, tools, libraries, media and science.
SECTIONS = set("admin comm database graphics httpd libs mail math net science sound utils video web".split())
LIBC = re.compile(r"(^|[ ,])libc6 \(>= 2\.(3[4-9]|[4-9]\d)")
# Games' data and browsers: a scan is about many programs, not about a few large ones.
LARGEST = 64 << 20


def paragraphs(stream):
    fields = {}
    for line in stream:
        if line == "\n":
            if fields:
                yield fields
            fields = {}
        elif line[0] not in " \t":
            key, _, value = line.partition(":")
            fields[key] = value.strip()
    if fields:
        yield fields


def candidates(stream):
    for fields in paragraphs(stream):
        needs = fields.get("Depends", "") + ", " + fields.get("Pre-Depends", "")
        if fields.get("Section") in SECTIONS and LIBC.search(needs) and int(fields["Size"]) <= LARGEST:
            source = fields.get("Source", fields["Package"]).split()[0]
            yield fields["Package"], fields["Version"], source


def draw(seed, stream):
    def place(candidate):
        return hashlib.sha256(f"{seed} {candidate[0]}".encode()).digest()

    seen = set()
    for name, version, source in sorted(candidates(stream), key=place):
        if source not in seen:
            seen.add(source)
            print(f"{name}\t{version}")


draw(sys.argv[1], sys.stdin)
