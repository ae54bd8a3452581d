// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The price of a line before anybody has moved it: how often it has to be
// handed over, times what that takes on this machine.
//
//     rates of each thread ─ transfers a second ─ x nanoseconds ─ share of time
//
// An access needs a transfer only if another thread has written the line since
// this thread's last access, or, for a write, touched it. So the transfers of a
// thread are at most the smaller of its accesses and those of the others. Where
// threads come independently of each other, they are at least half of that:
// of two random streams a and b, a * b / (a + b) accesses of each find the
// other one before them. Threads that want a line all the time do not come
// independently: who has it makes many accesses before it is taken away, so
// such rates say no more than that the line is handed on every few transfer
// times.
//
// It is the time for which the line is on its way. How much of it the threads
// wait, the processor decides: it goes on with what does not depend on the
// line. So only A/B says what a fix brings.

#ifndef LINESMAN_DRIVE_PREDICTEDCOST_H
#define LINESMAN_DRIVE_PREDICTEDCOST_H

#include "linesman/Report/Finding.h"
#include "linesman/Watch/AccessRates.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>

namespace linesman::drive {

/// One thread at a line.
struct ThreadUse {
  /// Accesses a second while it runs.
  watch::Rate Reads, Writes;
  /// Of the time, for which it runs.
  double Running = 1;
};

struct PredictedCost {
  /// A second; High is unbounded where an access comes too soon after another
  /// one to be told from the next.
  watch::Rate Transfers;
  double TransferNanoseconds = 0;
  /// Of the time for which these threads run, at most 1.
  double LowShare = 0, HighShare = 1;
  unsigned Threads = 0;

  /// How many times the lower bound the upper one is.
  double width() const { return HighShare / LowShare; }
  /// Whether its bounds are so far apart that it decides nothing.
  bool isWide() const;
};

/// Nothing where fewer than two threads use the line.
std::optional<PredictedCost> predictCost(llvm::ArrayRef<ThreadUse> Threads,
                                         double TransferNanoseconds);

/// "1.1 to 1.6 million transfers a second x 62 ns: 7 to 10 % of the time of 2
/// threads"; "cannot tell well: " is in front of one that is wide.
std::string describe(const PredictedCost &Cost);

/// As findings have it: without a bound where there is none.
report::FindingPrice describePrice(const PredictedCost &Cost);
PredictedCost readPrice(const report::FindingPrice &Price);

/// What it takes to hand a line over between the processors of this machine
/// that are farthest apart, in nanoseconds, as measured now. Nothing where
/// there is one processor or where it cannot be measured.
std::optional<double> transferTime();

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_PREDICTEDCOST_H
