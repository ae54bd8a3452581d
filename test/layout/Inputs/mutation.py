"""Damages ELF files where readers look."""

import os
import random
import re
import struct

INTERESTING = [0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 47, (1 << 63) - 1, (1 << 64) - 1]


def part_of(count):
    """The suite asks for a part of the mutations where no sanitizer looks on."""
    return count // int(os.environ.get("LINESMAN_MUTATIONS_PART", "1"))


class Mutation:
    """Of one file: its headers, symbols and facts; with "code" instructions as
    often as all of these; with "dwarf" nothing but DWARF."""

    def __init__(self, whole, what=""):
        self.whole, self.what = whole, what
        table = struct.unpack_from("<Q", whole, 0x28)[0]
        headers = struct.unpack_from("<H", whole, 0x3C)[0]
        sections = [struct.unpack_from("<IIQQQQIIQQ", whole, table + 64 * i) for i in range(headers)]
        self.targets = [(0, 64), (table, 64 * headers)]
        self.targets += [(s[4], s[5]) for s in sections if s[1] != 8 and s[5] and not s[2] & 4]
        if what == "code":
            self.targets += [(s[4], s[5]) for s in sections if s[2] & 4 and s[5]] * len(self.targets)
        if what == "dwarf":
            names = sections[struct.unpack_from("<H", whole, 0x3E)[0]][4]
            name = lambda s: whole[names + s[0] : whole.index(b"\0", names + s[0])]
            # Small sections decide what the large ones mean.
            self.targets = [(s[4], s[5]) for s in sections if s[5] and re.match(rb"\.debug_(?!linesman)", name(s))]
            assert self.targets, "no DWARF to damage"

    def make(self):
        data = bytearray(self.whole)
        for _ in range(random.choice([1, 1, 1, 2, 8])):
            begin, size = random.choice(self.targets)
            at = begin + random.randrange(size)
            kind = random.randrange(4)
            if kind == 0:
                data[at] ^= 1 << random.randrange(8)
            elif kind == 1:
                data[at] = random.randrange(256)
            else:
                width = random.choice([2, 4, 8])
                at &= ~(width - 1)
                value = random.choice(INTERESTING) & ((1 << 8 * width) - 1)
                data[at : at + width] = value.to_bytes(width, "little")
        if self.what != "dwarf" and random.randrange(10) == 0:
            del data[random.randrange(len(data)) :]
        return bytes(data)
