// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that start a thread at a function that they are given.

#ifndef LINESMAN_LIB_LAYOUT_GIVENSTARTS_H
#define LINESMAN_LIB_LAYOUT_GIVENSTARTS_H

#include "linesman/Layout/CallGraph.h"

namespace linesman::layout {

/// Makes each function that a thread is given a start of a thread, in whoever
/// gives it. Returns which functions such threads begin in, where that is not
/// the given one itself: what they call through the pointer is no longer an
/// edge of theirs.
std::vector<bool> startGiven(CallGraph &Graph);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_GIVENSTARTS_H
