// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the jump of a switch leads: read from the table that compilers make of
// its cases.
//
//     cmp    ecx, 0x77              0x78 cases
//     ja     .default
//     lea    rbx, [rip + table]     perhaps far before
//     movslq rdx, [rbx + 4*rcx]     the case's distance from the table
//     add    rdx, rbx
//     jmp    rdx

#ifndef LINESMAN_LIB_INPUT_SWITCHTABLES_H
#define LINESMAN_LIB_INPUT_SWITCHTABLES_H

#include "MachineStep.h"

namespace linesman::input {

/// Offsets in \p Function, sorted and each once, to which the IndirectJump at
/// position \p Jump of \p Steps leads. Empty where its table is not known: of
/// AArch64, and where the table's address or the number of cases is not found.
llvm::SmallVector<uint32_t, 8> readSwitch(llvm::ArrayRef<Step> Steps,
                                          size_t Jump,
                                          const CodeFunction &Function,
                                          const CodeMap &Map);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_SWITCHTABLES_H
