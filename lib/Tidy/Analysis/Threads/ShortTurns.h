// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns of a loop that are short enough for what threads share to cost much:
//
//     for (...) sum += x[i];          short
//     for (...) { work(i); done++; }  long: the count is no matter

#ifndef LINESMAN_TIDY_ANALYSIS_THREADS_SHORTTURNS_H
#define LINESMAN_TIDY_ANALYSIS_THREADS_SHORTTURNS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace linesman::tidy {

/// The turn \p S has a loop in it, or calls a function (not a small one): rows
/// of an image that are done. \p Counting is the function that counts. To take
/// a lock is no work.
bool isLongTurn(const clang::Stmt &S,
                const clang::FunctionDecl *Counting = nullptr);

/// `if (++mine % 64 == 0) done += 64;`: not on each turn.
bool isBatched(const clang::FunctionDecl &Function,
               const clang::Expr &Counting);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADS_SHORTTURNS_H
