// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of the last use, kept in an object that many threads use at once:
//
//     found->last_used.store(now())
//
// Whoever only looks the object up writes it. A clock in seconds wants a test
// first (BlindWrite::Time); a finer one has always moved on, and wants to be
// stored only when what is there is too old for its reader.

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_LASTUSES_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_LASTUSES_H

#include "Analysis/Accesses/HotAccesses.h"

namespace linesman::tidy {

/// Atomically, because several threads may have the object, or plainly into
/// what was found in a table of the whole program; and without a look at the
/// time that is there.
bool storesLastUse(const Access &Use, HotAccesses &Hot);

/// A look-up sets, without a look, a flag of what it found that says that it
/// was used: `found->referenced = true`.
bool marksFoundObject(const Access &Use, HotAccesses &Hot);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_LASTUSES_H
