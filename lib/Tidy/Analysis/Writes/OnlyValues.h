// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What says once more what is known since the first call:
//
//     static Pool &pool() { static Pool one; made = true; return one; }
//     bool isMade()       { return made; }
//
// Nobody stores anything else, so that all stores but the first change nothing.

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_ONLYVALUES_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_ONLYVALUES_H

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Threads/ThreadStarts.h"

namespace linesman::tidy {

/// A store into a static variable that nobody outside of this unit or its class
/// can name, of the only constant that is ever stored there, on every way
/// through a function that several places call, in a unit that knows of
/// threads.
bool storesOnlyValue(const Access &Use, HotAccesses &Hot,
                     const TypeKinds &Kinds, const ThreadStarts &Starts);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_ONLYVALUES_H
