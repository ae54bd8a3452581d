// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A flag that says that an amount is past a limit, stored by every call as long
// as it is:
//
//     if (used > high) full = true;        if (used < low) full = false;
//
// An event happens once; an amount stays above its limit for many calls. What
// tells is the comparison of two amounts, and that the flag is put back.

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_LEVELFLAGS_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_LEVELFLAGS_H

#include "Analysis/Accesses/HotAccesses.h"

namespace linesman::tidy {

/// \p Use stores 0 or 1 to an atomic flag on such a condition, and nothing in
/// the function looks at the flag before.
bool setsLevelFlag(const Access &Use, HotAccesses &Hot,
                   const clang::ASTContext &Unit);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_LEVELFLAGS_H
