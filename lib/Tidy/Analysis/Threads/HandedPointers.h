// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop hands each thread that it starts a pointer out of a table:
//
//     for (i = 0; i < n; i++)
//       pthread_create(&t[i], NULL, run, workers[i]);
//     for (auto &each : workers)
//       pool.emplace_back(&Worker::run, each.get());
//       pool.emplace_back([w = each.get()] { w->run(); });

#ifndef LINESMAN_TIDY_ANALYSIS_THREADS_HANDEDPOINTERS_H
#define LINESMAN_TIDY_ANALYSIS_THREADS_HANDEDPOINTERS_H

#include "Analysis/Accesses/UnitAccesses.h"

namespace linesman::tidy {

/// The first call that starts a thread with a pointer, plain or smart, which is
/// an element of \p Table, in a loop that \p Made is not part of: what is made
/// between two starts has other allocations between it. Null if there is none.
const UnitAccesses::CallSite *startWith(const clang::ValueDecl &Table,
                                        const clang::Expr &Made,
                                        const UnitAccesses &Accesses);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADS_HANDEDPOINTERS_H
