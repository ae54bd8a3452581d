// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts of a binary, whoever tells them: what compilers wrote, then the
// machine code of functions that they do not speak for.

#ifndef LINESMAN_LIB_INPUT_GATHERFACTS_H
#define LINESMAN_LIB_INPUT_GATHERFACTS_H

#include "ElfSections.h"
#include "linesman/Input/ReadBinary.h"

namespace linesman::input {

/// The files that make up a binary; one file, unless a debug file has a part.
struct ElfParts {
  const ElfFile &Loaded, &Symbols, &Facts;
  const ElfFile *Mini = nullptr;
};

/// The file with the symbol table, or with what is left of one.
inline const llvm::MemoryBuffer &symbolFile(const Binary &File) {
  return File.Files.Symbols ? *File.Files.Symbols : *File.File;
}

/// Adds accesses, calls, types and counts to \p Result, whose image is there.
llvm::Error readFacts(const ElfParts &Parts, StartUpCode StartUp,
                      const ReadOptions &Options, Binary &Result);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_GATHERFACTS_H
