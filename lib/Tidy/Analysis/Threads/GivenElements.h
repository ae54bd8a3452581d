// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element that a function gives to its caller, and what the caller does with
// it:
//
//     Sums &of(int thread) {                     gives sums[thread]
//       if (sums.size() == 1) return sums[0];
//       else return sums[thread];
//     }
//     Sums &mine = all.of(omp_get_thread_num());
//     for (...) add(mine, value);                hands it on, again and again

#ifndef LINESMAN_TIDY_ANALYSIS_THREADS_GIVENELEMENTS_H
#define LINESMAN_TIDY_ANALYSIS_THREADS_GIVENELEMENTS_H

#include "Analysis/Accesses/UnitAccesses.h"
#include <optional>

namespace linesman::tidy {

/// \p Site is part of what \p Function returns at its end, for the caller to
/// write.
bool givesOut(const clang::FunctionDecl &Function, const clang::Expr &Site);

/// Where a caller of \p Giver keeps the element in a reference, and hands that
/// on to be written in a loop; nothing if none does.
std::optional<Access> findHandedOn(const clang::FunctionDecl &Giver,
                                   const UnitAccesses &Accesses);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADS_GIVENELEMENTS_H
