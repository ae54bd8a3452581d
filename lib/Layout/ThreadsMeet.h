// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often threads get to a line, without what loops promise.

#ifndef LINESMAN_LIB_LAYOUT_THREADSMEET_H
#define LINESMAN_LIB_LAYOUT_THREADSMEET_H

#include "linesman/Layout/Finding.h"

namespace linesman::layout {

/// Of the two roles that get to \p Range most often, one of which writes there:
/// how many functions access it in an operation, each counted by the chance
/// that it is done at all. Where threads are known, of two of these: main, and
/// what only somebody unknown calls, may be any part of the program.
double countVisits(const Image &Program, const AccessTable &Table,
                   llvm::ArrayRef<LineOccupant> Occupants, AddressRange Range);

/// How many functions write to \p Range while threads run.
size_t countWriters(const Image &Program, const AccessTable &Table,
                    llvm::ArrayRef<LineOccupant> Occupants, AddressRange Range);

/// Whether \p Range is mostly read while threads run, and most writes are plain
/// stores. Not beside an object that stands in for others: that it is written
/// is the news.
bool isMostlyRead(const Image &Program, const AccessTable &Table,
                  llvm::ArrayRef<LineOccupant> Occupants, AddressRange Range);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_THREADSMEET_H
