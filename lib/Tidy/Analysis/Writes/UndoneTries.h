// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that tries by counting, and takes it back:
//
//     for (;;) {
//       if (readers.fetch_add(1) >= 0)
//         return;
//       readers.fetch_sub(1);
//     }
//
// or one that another word of the object decides:
//
//     for (;;) {
//       readers.fetch_add(1);
//       if (!writer.load())
//         return;
//       readers.fetch_sub(1);
//     }
//
// Two writes on each turn of everybody who waits.

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_UNDONETRIES_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_UNDONETRIES_H

#include "Analysis/Accesses/UnitAccesses.h"

namespace linesman::tidy {

bool isUndoneTry(const Access &Use, const UnitAccesses &Accesses);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_UNDONETRIES_H
