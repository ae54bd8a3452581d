// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is handed to a call so that somebody runs it: f, &f, &C::f, std::ref(f),
// a lambda, or a variable that was initialised with one.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_GIVENFUNCTIONS_H
#define LINESMAN_TIDY_ANALYSIS_CODE_GIVENFUNCTIONS_H

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

namespace linesman::tidy {

/// What is handed over, without casts, std::ref() and std::move().
const clang::Expr &bareArgument(const clang::Expr &Argument);

/// \p Given itself, or what the variable that it names was initialised with:
/// auto run = [&] { ... };
const clang::LambdaExpr *lambdaOf(const clang::Expr &Given);

/// The function, method or call operator that runs; or null.
const clang::FunctionDecl *entryOf(const clang::Expr &Given);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_GIVENFUNCTIONS_H
