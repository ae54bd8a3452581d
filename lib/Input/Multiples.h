// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiples of a register that compilers put together from smaller ones:
//
//     lea  rdx, [rax + 4*rax]     5 times rax
//     lea  rax, [rax + 2*rdx]     1 + 2 * 5 = 11 times rax
//
//     lea  rdx, [8*rax]
//     sub  rdx, rax               8 - 1 = 7 times rax
//
// The data flow knows no number by its name: to it the sum of two that it does
// not know is any number, and any element of an array. So such a step is
// rewritten to one product, while the register is still there.

#ifndef LINESMAN_LIB_INPUT_MULTIPLES_H
#define LINESMAN_LIB_INPUT_MULTIPLES_H

#include "ControlFlow.h"

namespace linesman::input {

/// Names products in \p Steps, whose slots of the stack have their names.
void nameMultiples(llvm::MutableArrayRef<Step> Steps, const ControlFlow &Flow);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_MULTIPLES_H
