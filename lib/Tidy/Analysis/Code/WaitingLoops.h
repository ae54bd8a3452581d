// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for what one expression in them says, however they are
// written:
//
//     while (try_lock()) ;
//     for (;;) { if (!try_lock()) break; pause(); }
//     do { was = try_lock(); } while (was);

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_WAITINGLOOPS_H
#define LINESMAN_TIDY_ANALYSIS_CODE_WAITINGLOOPS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <optional>

namespace linesman::tidy {

/// Whether \p Loop goes on when \p Site, which it evaluates, is true; nothing
/// where no condition in it tells.
std::optional<bool> goesOnWhile(const clang::Stmt &Loop,
                                const clang::Expr &Site,
                                const clang::ASTContext &Unit);

/// A literal or a local number: how long to wait, or for what, and not what to
/// look at.
bool isOwnNumber(const clang::Expr &Argument);

/// Apart from \p Site, the loop only counts and pauses, until it is left: it
/// looks at nothing that another thread could change.
bool onlyWaits(const clang::Stmt &Loop, const clang::Expr &Site);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_WAITINGLOOPS_H
