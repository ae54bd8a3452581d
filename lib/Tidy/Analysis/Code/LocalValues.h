// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function gives to a local variable.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_LOCALVALUES_H
#define LINESMAN_TIDY_ANALYSIS_CODE_LOCALVALUES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"

namespace linesman::tidy {

/// Its initialiser; or, where C's older dialects declare it without one, what
/// the body assigns to it, and the expressions that change it in another way:
/// ++, --, &.
llvm::SmallVector<const clang::Expr *, 2>
valuesOf(const clang::VarDecl &Local, const clang::FunctionDecl &Function);

/// The values that are assigned, and the expressions that change it, alone.
llvm::SmallVector<const clang::Expr *, 2>
assignmentsOf(const clang::VarDecl &Local, const clang::FunctionDecl &Function);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_LOCALVALUES_H
