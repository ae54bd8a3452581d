// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of numbers of threads.

#ifndef LINESMAN_TIDY_ANALYSIS_NAMES_THREADCOUNTS_H
#define LINESMAN_TIDY_ANALYSIS_NAMES_THREADCOUNTS_H

#include "clang/AST/Expr.h"

namespace linesman::tidy {

/// "MAX_THREADS", "num_io_threads", "workerCount", "nthreads"; not "thread_id",
/// "threads_per_block".
bool soundsLikeThreadCount(llvm::StringRef Name);

/// A variable, a constant or a member with such a name.
bool isNamedThreadCount(const clang::Expr &Number);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_NAMES_THREADCOUNTS_H
