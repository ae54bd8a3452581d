// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A flag of all threads that each of them sets as it goes through its part:
//
//     #pragma omp parallel for
//     for (...) if (d < best[v]) { best[v] = d; changed = true; }
//
// The first store of a round says it; all others only take the line away. A
// flag that says how a thread ends (failed, found, stop) is set once.

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_SHAREDFLAGS_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_SHAREDFLAGS_H

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Threads/ThreadStarts.h"

namespace linesman::tidy {

/// The same constant, on turns of a loop that several threads run, into one
/// object of all of them which nothing there looks at.
bool setsFlagOfThreads(const Access &Use, HotAccesses &Hot,
                       const TypeKinds &Kinds, const ThreadStarts &Starts);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_SHAREDFLAGS_H
