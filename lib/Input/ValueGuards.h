// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores that are only done when they change something:
//
//     if (mode != wanted)        cmp  [mode], edi
//       mode = wanted;           je   .done
//                                mov  [mode], edi
//     if (most < seen)           and all that goes one way
//       most = seen;

#ifndef LINESMAN_LIB_INPUT_VALUEGUARDS_H
#define LINESMAN_LIB_INPUT_VALUEGUARDS_H

#include "RegisterFlow.h"

namespace linesman::input {

/// Lowers the weights of such stores.
void weighChanges(llvm::ArrayRef<Step> Steps, const ControlFlow &Flow,
                  FoundFacts &Found);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_VALUEGUARDS_H
