// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a linker does to facts, without a link: relocatable objects become one
// file in memory that the reader of binaries reads like any other.
//
//     a.o: .bss.x .bss.y .debug_linesman + relocations ─┐
//     b.o: .data  .text  .debug_linesman + relocations ─┴▶ .text .data .bss
//                                                 elsewhere .debug_* .symtab
//
//  1. Choose sections: of COMDAT groups the first copy, as linkers do.
//  2. Place them in the order that each object has. Objects begin on pages of
//     their own: what the linker puts beside them is not known.
//  3. Give what no object defines a place of its own ("elsewhere").
//  4. Apply the relocations of data and debug information. Code is left out:
//     its facts are there already.

#ifndef LINESMAN_LIB_INPUT_JOINOBJECTS_H
#define LINESMAN_LIB_INPUT_JOINOBJECTS_H

#include "linesman/Input/ReadBinary.h"

namespace linesman::input {

struct JoinedObjects {
  std::unique_ptr<llvm::MemoryBuffer> File;
  UnlinkedCounts Counts;
};

/// \p Objects are ELF64 little-endian relocatable objects; \p Name is the
/// result's. Fails on damaged ones, on those of several machines, and on
/// relocations that are not known.
llvm::Expected<JoinedObjects>
joinObjects(llvm::ArrayRef<llvm::MemoryBufferRef> Objects,
            llvm::StringRef Name);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_JOINOBJECTS_H
