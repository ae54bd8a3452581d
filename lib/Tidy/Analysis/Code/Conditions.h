// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a condition decides: which value of an expression in it leads into the
// branch, and whether that branch leaves the loop.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_CONDITIONS_H
#define LINESMAN_TIDY_ANALYSIS_CODE_CONDITIONS_H

#include "clang/AST/Expr.h"

namespace linesman::tidy {

/// Of an if or a loop; null for other statements, and where there is none.
const clang::Stmt *conditionOf(const clang::Stmt &S);

/// Of a loop; null for other statements.
const clang::Stmt *loopBodyOf(const clang::Stmt &S);

bool contains(const clang::Stmt &Root, const clang::Stmt &Part);

/// Ends with return, break or goto.
bool leavesLoop(const clang::Stmt *S);

/// The value of the expression is negated on the way up to the condition.
bool isNegatedIn(const clang::Expr &Condition, const clang::Expr &Site,
                 const clang::ASTContext &Unit);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_CONDITIONS_H
