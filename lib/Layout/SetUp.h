// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions set something up, make what lives for long, or give it back:
// nobody does that for each operation.

#ifndef LINESMAN_LIB_LAYOUT_SETUP_H
#define LINESMAN_LIB_LAYOUT_SETUP_H

#include "linesman/Layout/CallGraph.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace linesman::layout {

/// Which functions have the loop in which a thread waits for work, or call it.
using HasLoop = llvm::function_ref<bool(NodeIndex)>;

/// Sets IsSetUp and IsLifeCycle of the binary's functions.
void markSetUp(CallGraph &Graph, HasLoop WaitsInLoop);

/// Whether a function's name says that a module starts or ends, or that
/// something is registered with it; and of what \p IsForOthers, other modules,
/// that it makes an object, gives it back, or sets an option. Who calls that,
/// nothing else tells.
bool soundsLikeLifeCycle(llvm::StringRef LinkerName, bool IsForOthers);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_SETUP_H
