// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each thread makes for itself, once: code behind the test of a
// thread-local variable that the same code sets.
//
//     if (!state)              cmpb $0, %fs:-64
//       state = register();    jne  .done
//                              ...                    once in a thread's life
//                              movb $1, %fs:-64

#ifndef LINESMAN_LIB_INPUT_OWNFLAGS_H
#define LINESMAN_LIB_INPUT_OWNFLAGS_H

#include "ControlFlow.h"

namespace linesman::input {

/// Compilers that make code for libraries, too, take the thread pointer into a
/// register: names the thread-local variables that are used through one.
void nameOwnPlaces(llvm::MutableArrayRef<Step> Steps, const ControlFlow &Flow);

/// Marks the blocks that set such a variable as cold.
void markOwnFlags(llvm::ArrayRef<Step> Steps, ControlFlow &Flow);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_OWNFLAGS_H
