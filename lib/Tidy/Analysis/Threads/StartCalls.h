// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that start a thread: the libraries' own by their names, a project's by
// what it is called and given.
//
//     os_thread_create(&tid, NULL, worker, &slots[i])    worker, &slots[i]

#ifndef LINESMAN_TIDY_ANALYSIS_THREADS_STARTCALLS_H
#define LINESMAN_TIDY_ANALYSIS_THREADS_STARTCALLS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace linesman::tidy {

/// Whom \p Call calls, if that has a plain name.
const clang::FunctionDecl *namedCallee(const clang::Expr &Call);

/// What a call that starts a thread is given: the entry, then its arguments.
/// Empty for any other.
llvm::ArrayRef<const clang::Expr *> startedWith(const clang::Expr &Call);

/// Runs what it is given for each turn or part of a loop, in several threads:
/// `tbb::parallel_for(0, n, [&](int i) {...})`, and the standard library's
/// algorithms with a policy that allows it.
bool runsInParallel(const clang::CallExpr &Call);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADS_STARTCALLS_H
