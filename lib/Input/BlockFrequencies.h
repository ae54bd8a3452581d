// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often each block runs per entry of its function.

#ifndef LINESMAN_LIB_INPUT_BLOCKFREQUENCIES_H
#define LINESMAN_LIB_INPUT_BLOCKFREQUENCIES_H

#include "ControlFlow.h"

namespace linesman::input {

/// Sets the frequencies of all blocks of \p Flow, whose loops are known.
/// \p IsCold: the whole function is hardly ever entered.
void weighBlocks(llvm::ArrayRef<Step> Steps, ControlFlow &Flow, bool IsCold);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_BLOCKFREQUENCIES_H
