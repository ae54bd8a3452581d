// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what a linker has written.

#ifndef LINESMAN_LIB_RELINK_READBACK_H
#define LINESMAN_LIB_RELINK_READBACK_H

#include "DefinitionIndex.h"
#include "Verify.h"
#include "linesman/Input/ReadBinary.h"

namespace linesman::relink {

/// A linked file.
struct Linked {
  input::Binary Binary;
  layout::Image ThreadBlock;

  LinkedImages images() const { return {Binary.Image, ThreadBlock}; }
};

/// All of \p File.
llvm::Expected<Linked> readBack(std::unique_ptr<llvm::MemoryBuffer> File);

/// Only the lines of the edited symbols and what is around them. \p Verdict is
/// about all symbols.
llvm::Expected<Linked> readBackEdited(llvm::StringRef Path,
                                      const LinkInputs &Inputs,
                                      const DefinitionIndex &Index,
                                      llvm::ArrayRef<ResolvedEdit> Edits,
                                      LinkedScan::Verdict &Verdict);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_READBACK_H
