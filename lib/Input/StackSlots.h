// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function keeps on its stack for lack of registers:
//
//     mov  [rsp + 8], rdi      Add  slot 0 = rdi
//     call other
//     mov  rax, [rsp + 8]      Add  rax = slot 0
//
// A slot is 8 bytes that are only ever stored and loaded as a whole, in a part
// of the frame whose address nobody takes: callees cannot change it.

#ifndef LINESMAN_LIB_INPUT_STACKSLOTS_H
#define LINESMAN_LIB_INPUT_STACKSLOTS_H

#include "ControlFlow.h"

namespace linesman::input {

/// Turns steps that spill to slots and reload from there into copies; registers
/// of slots begin with FirstSlot. Returns the number of slots.
unsigned nameStackSlots(llvm::MutableArrayRef<Step> Steps,
                        const ControlFlow &Flow, const Architecture &Arch,
                        const CodeMap &Map);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_STACKSLOTS_H
