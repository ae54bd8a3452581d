// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the value decide whether it is written, so that writes stop?
//
//     if (!done) done = compute();           yes: once
//     if (last == key) return hit;           no: each thread asks for another
//     last = key;                            key, and writes on
//     if (last != key)                       no: the same, in other words
//       last = key, hit = find(key);
//     if (!done) value = compute();          no: done is written either way
//     done = true;

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_TESTEDWRITES_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_TESTEDWRITES_H

#include "Analysis/Accesses/UnitAccesses.h"

namespace linesman::tidy {

/// \p Lambda is the one that the write is in, where \p Write is the call that
/// runs it; null elsewhere.
bool isTestedBefore(const UnitAccesses &Accesses, const Access &Write,
                    const clang::FunctionDecl *Lambda = nullptr);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_TESTEDWRITES_H
