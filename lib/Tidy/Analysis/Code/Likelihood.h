// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branches are rare because the source says so?
//
//     if (__builtin_expect(!p, 0)) errors++;      rare
//     if (p) [[unlikely]] { errors++; }           rare
//     if (!p) { errors++; abort(); }              rare: it never comes back
//     if (seen <= 10) ++seen;                     rare: ten times, of a static
//     if (likely(p)) return p->n;  errors++;      rare: what is left over
//
// A write there is on no operation's path, whatever function it is in.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_LIKELIHOOD_H
#define LINESMAN_TIDY_ANALYSIS_CODE_LIKELIHOOD_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include <optional>

namespace linesman::tidy {

/// The outcome that the source expects of a condition, if it says one.
std::optional<bool> expectedOutcome(const clang::Expr &Condition,
                                    const clang::ASTContext &Unit);

/// The source says that \p Branch, taken when \p Condition is \p Outcome, is
/// rarely taken: by the condition, by an attribute, or because it ends in a
/// call that does not return. \p Condition may be null.
bool isRareBranch(const clang::Expr *Condition, bool Outcome,
                  const clang::Stmt *Branch, const clang::ASTContext &Unit);

/// A statement that is expected to leave: what follows it is rare.
bool isExpectedToLeave(const clang::Stmt &S, const clang::ASTContext &Unit);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_LIKELIHOOD_H
