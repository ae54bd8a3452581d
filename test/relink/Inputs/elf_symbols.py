"""Reads symbols of a linked ELF64 file: an independent reader, so that linesman
does not check linesman. Thread-local symbols get addresses of their phase."""

import struct


def read(path):
    """{name: [(address, size)]} of data symbols, the sections as (name, address, size, tls), and the image's objects in address order."""
    data = open(path, "rb").read()
    shoff, = struct.unpack_from("<Q", data, 40)
    phoff, = struct.unpack_from("<Q", data, 32)
    phentsize, phnum, _, shnum, shstrndx = struct.unpack_from("<HHHHH", data, 54)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + 64 * i) for i in range(shnum)]
    text = lambda table, offset: data[sections[table][4] + offset : data.index(b"\0", sections[table][4] + offset)].decode()
    tls = None
    for i in range(phnum):
        kind, _, _, vaddr, _, _, memsz, align = struct.unpack_from("<IIQQQQQQ", data, phoff + phentsize * i)
        if kind == 7:
            tls = (vaddr, memsz, align)
    symbols = {}
    for section in sections:
        if section[1] != 2:
            continue
        for offset in range(section[4], section[4] + section[5], 24):
            name, info, _, index, value, size = struct.unpack_from("<IBBHQQ", data, offset)
            kind = info & 15
            if kind not in (1, 6) or index == 0 or index >= 0xFF00 or not size:
                continue
            if kind == 6:
                value = (1 << 40) - -(-tls[1] // tls[2]) * tls[2] + value
            elif not sections[index][2] & 1:
                continue
            symbols.setdefault(text(section[6], name), []).append((value, size))
    return symbols
