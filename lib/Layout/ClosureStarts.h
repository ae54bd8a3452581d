// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that run a boxed closure, as Rust's do.

#ifndef LINESMAN_LIB_LAYOUT_CLOSURESTARTS_H
#define LINESMAN_LIB_LAYOUT_CLOSURESTARTS_H

#include "linesman/Layout/CallGraph.h"

namespace linesman::layout {

/// Makes each closure that a thread is handed a start of a thread, in whoever
/// hands it over. Returns which functions such threads begin in.
std::vector<bool> startClosures(CallGraph &Graph);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_CLOSURESTARTS_H
