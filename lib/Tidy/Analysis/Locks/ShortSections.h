// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a lock is held around may take long, or not.

#ifndef LINESMAN_TIDY_ANALYSIS_LOCKS_SHORTSECTIONS_H
#define LINESMAN_TIDY_ANALYSIS_LOCKS_SHORTSECTIONS_H

#include "clang/AST/Stmt.h"

namespace linesman::tidy {

/// Nothing that may take long, as far as the function itself tells: no loop, no
/// wait, no allocation by name.
bool isShort(const clang::Stmt &S);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_LOCKS_SHORTSECTIONS_H
