// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward data flow over a function: which addresses registers hold, and with
// that which objects its instructions access.
//
//     entry:  lea rax, table          rax = {table}
//     loop:   inc dword [rax]         rax = {table, moving}   a loop's pointer
//             add rax, 4
//             jne loop
//
// The lattice: a set of at most four alternatives, each an address or a number,
// exact or moving ("begins there and goes on"), and whether there are others
// that are not known. A pointer that is one of several splits its executions
// evenly, as compiler facts do.

#ifndef LINESMAN_LIB_INPUT_REGISTERFLOW_H
#define LINESMAN_LIB_INPUT_REGISTERFLOW_H

#include "ControlFlow.h"

namespace linesman::input {

/// An access to memory at a known address.
struct FoundAccess {
  uint64_t Address = 0;
  /// Only the object is known, not the place in it.
  bool IsSomewhere = false;
  facts::AccessKind Kind = facts::AccessKind::Read;
  uint64_t Size = 0;
  double Weight = 0;
  /// Of the instruction, from the function's start.
  uint32_t Offset = 0;
};

/// All accesses of a function to data, in the order of their instructions.
std::vector<FoundAccess> followRegisters(llvm::ArrayRef<Step> Steps,
                                         const ControlFlow &Flow,
                                         const Architecture &For,
                                         const CodeMap &Map);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_REGISTERFLOW_H
