// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that start a thread at a function that they are given.

#ifndef LINESMAN_LIB_LAYOUT_GIVENSTARTS_H
#define LINESMAN_LIB_LAYOUT_GIVENSTARTS_H

#include "linesman/Layout/CallGraph.h"

namespace linesman::layout {

/// For each function, whether it does: 1 where it starts the thread itself,
/// more where it hands the function on, 0 where it does not.
std::vector<unsigned> findGivenStarts(const CallGraph &Graph);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_GIVENSTARTS_H
