// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of a binary that was read, opened again to ask about single places.

#ifndef LINESMAN_LIB_INPUT_OPENCODE_H
#define LINESMAN_LIB_INPUT_OPENCODE_H

#include "MachineStep.h"
#include "linesman/Input/ReadBinary.h"

namespace linesman::input {

struct OpenedCode {
  explicit OpenedCode(const ElfFile &Elf) : Elf(Elf) {}
  /// Parts refer to each other.
  OpenedCode(const OpenedCode &) = delete;

  ElfFile Elf;
  std::unique_ptr<Architecture> Arch;
  CodeFunctions Functions;
  CodeMap Map;
  std::unique_ptr<StepDecoder> Decoder;

  /// \p File is the one that Elf is of, and must outlive this. False where its
  /// code is not read, and for errors, which reading it has reported.
  bool read(const Binary &File);
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_OPENCODE_H
