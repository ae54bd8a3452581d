// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A maximum or a minimum that a compare-exchange keeps without a look:
//
//     while (!high.compare_exchange_weak(seen, std::max(seen, value)))
//
// After the first values, nearly all others change nothing, and each exchange
// stores what is there and takes the line all the same. With n values in random
// order, a maximum changes some ln(n) times.

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_EXTREMES_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_EXTREMES_H

#include "Analysis/Accesses/HotAccesses.h"

namespace linesman::tidy {

/// Not where the function compares the value that it expects, other than to
/// compute the extreme or to see whether the exchange has worked; and not of
/// what grows by its name, such as a time or a version.
bool keepsExtremeBlindly(const Access &Use, HotAccesses &Hot);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_EXTREMES_H
