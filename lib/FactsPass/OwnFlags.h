// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each thread does once for itself, behind a thread-local flag:
//
//     if (!cache)
//       cache = make_cache();
//
// The same as lib/Input/OwnFlags.h says of machine code.

#ifndef LINESMAN_LIB_FACTSPASS_OWNFLAGS_H
#define LINESMAN_LIB_FACTSPASS_OWNFLAGS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/BasicBlock.h"

namespace linesman::facts {

/// Calls \p Visit with the first blocks of what is done once a thread. A
/// variable that the function or another one of the module takes back (a mark
/// that it is inside, a counter of its calls) is no flag.
void visitOwnOnce(const llvm::Function &F,
                  llvm::function_ref<void(const llvm::BasicBlock &)> Visit);

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_OWNFLAGS_H
