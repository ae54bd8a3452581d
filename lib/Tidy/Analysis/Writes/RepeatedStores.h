// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that stores the same constant on every turn:
//
//     while (!stop) { alive = true; serve(); }
//
// After the first turn nothing changes, unless somebody puts the word back, and
// all who read it fetch its line again.

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_REPEATEDSTORES_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_REPEATEDSTORES_H

#include "Analysis/Accesses/HotAccesses.h"

namespace linesman::tidy {

/// An atomic store of a constant on every turn of its loop, to one object that
/// the loop does not look at or write otherwise and that another function
/// reads. A loop that sleeps or waits on each turn has time for it.
bool repeatsStore(const Access &Use, HotAccesses &Hot,
                  const clang::ASTContext &Unit);

/// The innermost loop from \p Loop on that turns: a macro's block does not.
const clang::Stmt *turningLoop(const clang::Stmt *Loop,
                               const UnitAccesses &Accesses);

/// No branch and no way out between the loop, or the body of a function that
/// is called for each turn, and the store.
bool isOnEveryTurn(const clang::Stmt &Loop, const clang::Expr &Site);

/// A call in it sounds like waiting for somebody.
bool waitsIn(const clang::Stmt &S);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_REPEATEDSTORES_H
