// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a count only kept to be told? Then each thread may have one of its own,
// and the sum of them all is as good. What code decides by is something else:
// how many may enter, which slot is next, whether somebody was here meanwhile.
//
//     ++hits;                               counted
//     return hits;  out << hits + misses;   told
//     if (hits > limit)  slots[hits % n]    decided by

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_STATISTICS_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_STATISTICS_H

#include "Analysis/Accesses/UnitAccesses.h"

namespace linesman::tidy {

/// Whether nothing in the unit decides by the count at the place of \p Use.
bool isOnlyTold(const Access &Use, const UnitAccesses &Accesses);

/// Whether it only goes up, and its users see no other value than a sum: not
/// how many there are, nor a number that says that something has changed. It
/// may be set back to a constant.
bool isStatistic(const Access &Use, const UnitAccesses &Accesses);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_STATISTICS_H
