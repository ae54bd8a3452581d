// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A free place, looked for by trying to take each:
//
//     for (i = 0; i < n; ++i)
//       if (slots[i].compare_exchange_strong(none, mine)) return i;
//     for (p = head; p; p = p->next)
//       if (!cas(&p->used, 0, 1)) continue;
//
// Those that are taken are passed by each thread that looks, and a try that
// fails takes their lines all the same.

#ifndef LINESMAN_TIDY_ANALYSIS_CONTAINERS_SLOTSEARCH_H
#define LINESMAN_TIDY_ANALYSIS_CONTAINERS_SLOTSEARCH_H

#include "Analysis/Accesses/UnitAccesses.h"

namespace linesman::tidy {

/// \p Use is a compare-exchange on what the loop comes to on this turn, and
/// the loop goes on after it failed.
bool searchesForFree(const Access &Use, const clang::ASTContext &Unit);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CONTAINERS_SLOTSEARCH_H
