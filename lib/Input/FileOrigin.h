// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kind of program a file is, and who compiled it, as far as that changes
// how its machine code is read.

#ifndef LINESMAN_LIB_INPUT_FILEORIGIN_H
#define LINESMAN_LIB_INPUT_FILEORIGIN_H

#include "ElfSections.h"

namespace linesman::input {

/// A library that can also be executed, as the C library, has an entry too;
/// what it is for is its name.
bool hasLibraryName(const ElfFile &Elf);

/// Whether it was linked as an executable. A shared object can have an entry
/// that nobody asked for, by older linkers.
bool isExecutable(const ElfFile &Elf);

llvm::Expected<bool> isMadeByGo(const ElfFile &Elf);

/// Whether it has Rust's runtime, which can panic, and says where it is in the
/// source. So has what other languages made with a library in Rust in it.
llvm::Expected<bool> hasRustRuntime(const ElfFile &Elf);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_FILEORIGIN_H
