// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ends a library, after which it may be started anew: it takes back
// several variables that others set once, and only who ends a program calls it,
// or who uses the library.

#ifndef LINESMAN_LIB_LAYOUT_ENDINGS_H
#define LINESMAN_LIB_LAYOUT_ENDINGS_H

#include "linesman/Layout/Accesses.h"
#include "linesman/Layout/CallGraph.h"
#include "llvm/ADT/DenseSet.h"

namespace linesman::layout {

/// The addresses of such functions. \p Once are flags that seem to be set once.
llvm::DenseSet<uint64_t> findEndings(const AccessTable &Table,
                                     const Image &Program,
                                     const CallGraph &Graph,
                                     const llvm::DenseSet<uint64_t> &Once);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_ENDINGS_H
