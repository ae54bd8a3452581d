// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MiniDebugInfo: some distributions keep the symbols of functions in a stripped
// file, as an ELF file in an xz stream in the section .gnu_debugdata.

#ifndef LINESMAN_LIB_INPUT_MINIDEBUG_H
#define LINESMAN_LIB_INPUT_MINIDEBUG_H

#include "ElfSections.h"

namespace linesman::input {

/// The file that .gnu_debugdata holds, whose symbol table is in order; null
/// where there is no such section. Fails where the section is damaged, or
/// larger than any such file.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readMiniDebug(const ElfFile &Elf);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_MINIDEBUG_H
