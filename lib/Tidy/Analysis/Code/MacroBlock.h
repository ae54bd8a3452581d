// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// do { lock(m); } while (0): how a macro makes one statement of several.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_MACROBLOCK_H
#define LINESMAN_TIDY_ANALYSIS_CODE_MACROBLOCK_H

#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

namespace linesman::tidy {

/// Null for everything else, real loops among it.
inline const clang::DoStmt *macroBlock(const clang::Stmt *S) {
  const auto *Do = llvm::dyn_cast_if_present<clang::DoStmt>(S);
  if (!Do)
    return nullptr;
  const clang::Expr *Condition = Do->getCond()->IgnoreParenCasts();
  if (const auto *Number = llvm::dyn_cast<clang::IntegerLiteral>(Condition))
    return Number->getValue() == 0 ? Do : nullptr;
  const auto *Truth = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(Condition);
  return Truth && !Truth->getValue() ? Do : nullptr;
}

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_MACROBLOCK_H
