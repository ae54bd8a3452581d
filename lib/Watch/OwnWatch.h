// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both watchpoints on a word of this thread, as a target's thread gets them:
// to try them, and to see what a hit costs.

#ifndef LINESMAN_LIB_WATCH_OWNWATCH_H
#define LINESMAN_LIB_WATCH_OWNWATCH_H

#include "linesman/Watch/Breakpoint.h"

namespace linesman::watch {

struct OwnWatch {
  Breakpoint Write, ReadWrite;
  SampleRing Ring;

  /// Nothing is armed yet. \p Word is aligned to its size and outlives this.
  /// Fails with a WatchError.
  static llvm::Expected<OwnWatch> open(const volatile uint64_t &Word);

  /// Lets the next \p Hits accesses of each kind through.
  llvm::Error arm(unsigned Hits);
};

} // namespace linesman::watch

#endif // LINESMAN_LIB_WATCH_OWNWATCH_H
