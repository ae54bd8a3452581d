#!/usr/bin/env python3
# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the facts of a linked ELF file, for tests, independently of lib/Facts.

dump_facts.py FILE           one line a fact's access, sorted
dump_facts.py --check FILE   also fails unless every object's address is that
                             of the symbol with its name
dump_facts.py --loaded FILE  instead: a digest of every allocated section
dump_facts.py --records FILE instead: the kinds of each contribution's records,
                             in brackets those that are compressed

Prints:
  FUNCTION [initializer] [profile]: OBJECT KIND SIZE at OFFSET weight W FILE:LINE
and counts of dead functions and objects without an address.
"""

import argparse
import collections
import hashlib
import struct
import sys
import zlib


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        assert self.data[:6] == b"\x7fELF\x02\x01", "not a 64-bit little-endian ELF file"
        (offset,) = struct.unpack_from("<Q", self.data, 0x28)
        size, count, names = struct.unpack_from("<HHH", self.data, 0x3A)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, offset + i * size) for i in range(count)]
        table = self.content(headers[names])
        self.sections = [(table[h[0] : table.index(b"\0", h[0])].decode(), h) for h in headers]

    def content(self, header):
        if header[1] == 8:  # SHT_NOBITS
            return b""
        content = self.data[header[4] : header[4] + header[5]]
        if header[2] & 0x800:  # SHF_COMPRESSED, with zlib
            content = zlib.decompress(content[24:])
        return content

    def section(self, name):
        return b"".join(self.content(header) for found, header in self.sections if found == name)

    def symbols(self):
        for _, header in self.sections:
            if header[1] != 2:  # SHT_SYMTAB
                continue
            table = self.content(header)
            names = self.content(self.sections[header[6]][1])
            for name, info, _, section, value, size in struct.iter_unpack("<IBBHQQ", table):
                yield names[name : names.index(b"\0", name)].decode(), info & 15, section, value, size


def uleb(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at


def records(data, expand=True):
    """The kind and payload of each record, in and out of compression."""
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from("<HI", data, at)
        payload = data[at + 6 : at + 6 + size]
        at += 6 + size
        if kind == 20:
            size, begin = uleb(payload, 0)
            expanded = zlib.decompress(payload[begin:])
            assert len(expanded) == size <= 100 * len(payload), (len(expanded), size)
            yield from records(expanded) if expand else [(kind, expanded)]
        else:
            yield kind, payload
    assert at == len(data), (at, len(data))


Fact = collections.namedtuple("Fact", "function object function_name object_name declared flags accesses")


def read_facts(elf):
    data = elf.section(".debug_linesman")
    strings = elf.section(".debug_linesman_str")
    string = lambda offset: strings[offset : strings.index(b"\0", offset)].decode()
    at = 0
    while at < len(data):
        magic, version, _, size = struct.unpack_from("<4sHHI", data, at)
        assert magic == b"LMFC" and version == 2, (magic, version, at)
        files, functions, objects = [""], [], []
        for kind, payload in records(data[at + 12 : at + size]):
            if kind == 2:
                files += [string(o) for (o,) in struct.iter_unpack("<I", payload)]
            elif kind == 3:
                functions += list(struct.iter_unpack("<QIB", payload))
            elif kind == 4:
                objects += list(struct.iter_unpack("<QIII", payload))
            elif kind == 1:
                function, p = uleb(payload, 0)
                object_, p = uleb(payload, p)
                accesses = []
                while p < len(payload):
                    flags = payload[p]
                    (weight,) = struct.unpack_from("<f", payload, p + 1)
                    p += 5
                    offset = None
                    if flags & 4:
                        offset, p = uleb(payload, p)
                    length, p = uleb(payload, p)
                    file, p = uleb(payload, p)
                    line, p = uleb(payload, p)
                    accesses.append((("read", "write", "atomic")[flags & 3], offset, length, weight, files[file], line))
                address, name, flags = functions[function]
                object_address, object_name, decl_file, decl_line = objects[object_]
                declared = f"{files[decl_file]}:{decl_line}" if decl_line else ""
                yield Fact(address, object_address, string(name), string(object_name), declared, flags, accesses)
        at += size


def print_records(data):
    at = 0
    while at < len(data):
        (size,) = struct.unpack_from("<I", data, at + 8)
        words = [f"[{' '.join(str(k) for k, _ in records(payload))}]" if kind == 20 else str(kind) for kind, payload in records(data[at + 12 : at + size], expand=False)]
        print("records:", *words)
        at += size


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--loaded", action="store_true")
    parser.add_argument("--records", action="store_true")
    args = parser.parse_args()
    elf = Elf(args.file)

    if args.records:
        print_records(elf.section(".debug_linesman"))
        return 0
    if args.loaded:
        for name, header in elf.sections:
            if header[2] & 2:  # SHF_ALLOC
                print(name, *map(hex, header[1:4]), header[5], hashlib.sha256(elf.content(header)).hexdigest())
        return 0

    addresses = collections.defaultdict(set)
    for name, _, section, value, _ in elf.symbols():
        if section != 0:
            addresses[name].add(value)
    lines, dead, foreign, wrong = [], 0, 0, 0
    for fact in read_facts(elf):
        if fact.function == 0:
            dead += 1
            continue
        foreign += fact.object == 0
        for name, address in ((fact.object_name, fact.object), (fact.function_name, fact.function)):
            # LTO renames a local that it moves between modules.
            known = addresses.get(name)
            if args.check and (known is None or address not in known):
                print(f"{name}: the fact has {address:#x}, the symbol table", *map(hex, known or []), file=sys.stderr)
                wrong += 1
        flags = (" initializer" if fact.flags & 1 else "") + (" profile" if fact.flags & 2 else "")
        declared = f" [{fact.declared}]" if fact.declared else ""
        for kind, offset, size, weight, file, line in fact.accesses:
            place = "?" if offset is None else offset
            source = f" {file}:{line}" if line else ""
            lines.append(
                f"{fact.function_name}{flags}: {fact.object_name}{declared} {kind} {size or '?'} at {place} weight {weight:g}{source}"
            )
    print(*sorted(lines), sep="\n")
    print(f"facts: {len(lines)} accesses, {dead} dead functions, {foreign} foreign objects")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
