// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies between two hits of a thread that does nothing else: the cost of
// the hit itself. What is more than that in another thread is its own time.

#ifndef LINESMAN_WATCH_HITCOST_H
#define LINESMAN_WATCH_HITCOST_H

#include "llvm/Support/Error.h"

namespace linesman::watch {

/// Nanoseconds from one hit of a kind to the next in a loop without anything
/// else. A few hits cost much more than the others (an interrupt comes between
/// them), so the mean is well above the median.
struct HitInterval {
  double Median = 0, Mean = 0;
};

struct HitCost {
  HitInterval Read, Write;

  /// Nanoseconds between two accesses that cannot be told from none. With
  /// medians of 9.5 µs, known gaps of 33 to 3,300 ns came out within 100 ns on
  /// a virtual machine; this is double of it.
  double resolution() const;
};

/// Measures it on this thread, as perf's breakpoints are used for a session:
/// both kinds armed, every hit a sample. Takes some 2 ms. Fails as
/// Breakpoint::open does, or when too few hits were seen.
llvm::Expected<HitCost> measureHitCost();

} // namespace linesman::watch

#endif // LINESMAN_WATCH_HITCOST_H
