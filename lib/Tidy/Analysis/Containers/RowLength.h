// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sums[n * thread + i]: n is known when the program runs. Did its author see to
// it that rows are whole lines?
//
//     n = (bins + 7) & ~7          rounded up
//     sums[padded * thread]        says so
//     n = total / threads          a part of one array for each, not rounded
//                                  but nobody's accumulator either
//     n = bins                     as it comes

#ifndef LINESMAN_TIDY_ANALYSIS_CONTAINERS_ROWLENGTH_H
#define LINESMAN_TIDY_ANALYSIS_CONTAINERS_ROWLENGTH_H

#include "Analysis/Accesses/UnitAccesses.h"

namespace linesman::tidy {

/// \p Length, in elements of \p ElementSize bytes, is as it comes: nothing in
/// \p Function, or where the unit sets the field that it is, rounds, divides or
/// multiplies it to whole lines of \p Line bytes, and no name says that.
bool isLengthAsItComes(const clang::Expr &Length, uint64_t ElementSize,
                       uint64_t Line, const clang::FunctionDecl *Function,
                       const UnitAccesses &Accesses);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CONTAINERS_ROWLENGTH_H
