// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that nothing in a binary leads to: the unused part of a static
// library that was linked in. Their locks and counts are nobody's.

#ifndef LINESMAN_LIB_INPUT_UNREACHEDCODE_H
#define LINESMAN_LIB_INPUT_UNREACHEDCODE_H

#include "CodeMap.h"
#include "MachineStep.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

namespace linesman::input {

/// By position in \p Functions: those that no way leads to from where execution
/// begins, from what other modules can call, and from what data names. Empty
/// where that cannot be told. Pages of \p File, which \p Elf reads, are given
/// back.
llvm::Expected<llvm::BitVector>
findUnreachedCode(const ElfFile &Elf, const llvm::MemoryBuffer &File,
                  const Architecture &Arch, const CodeFunctions &Functions,
                  bool IsFixed);

/// The same of a program, by address; empty for a library and for code of an
/// unknown machine. Names are those of \p Symbols, and of \p Mini, if it is not
/// null.
llvm::Expected<llvm::DenseSet<uint64_t>>
findUnreachedFunctions(const ElfFile &Elf, const ElfFile &Symbols,
                       const ElfFile *Mini, const llvm::MemoryBuffer &File);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_UNREACHEDCODE_H
