// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that is one expression, whatever it is called through:
//
//     bool try_lock() { assert(ready); return !word.exchange(1); }

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_ONLYRETURN_H
#define LINESMAN_TIDY_ANALYSIS_CODE_ONLYRETURN_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <optional>

namespace linesman::tidy {

/// assert(x), also where it is compiled out: ((void)0).
bool isAssertion(const clang::Stmt &S);

/// What a function returns that does nothing else, but for assertions, and a
/// local that it needs for that:
/// `int free = 0; return word.compare_exchange(free, 1);`
const clang::Expr *onlyReturn(const clang::FunctionDecl &Function);

/// Of `int was = word.exchange(1); return was == 0;` the exchange, and where
/// the returned test has its name.
struct NamedResult {
  const clang::Expr *Value;
  const clang::Expr *Name;
};

/// Nothing where \p Returned is no test of a local alone.
std::optional<NamedResult> findNamedResult(const clang::Expr &Returned);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_ONLYRETURN_H
