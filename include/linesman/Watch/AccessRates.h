// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often threads read and write a line, from hits that each cost a hundred
// times what the access does. Pure.
//
//     hits of a thread    |--------|---------|--------|
//     cost of a hit        ======   ======    ======
//     its own time               --       ---      --
//
// A step is one window: its own time is the time between the first and the last
// hit, without what the hits cost; where the bound was not reached, all of the
// time for which the thread ran. Windows begin at random, so the mean of their
// rates is the thread's rate, also of one that works in bursts.
//
// A hit costs 9 µs in one median, and 14 µs more now and then: an interrupt
// came, or another program. So there are two estimates. By means, without what
// the longest of all gaps have more than the others, which pauses between
// bursts of a dozen accesses or more make too high; and by the lower quartile
// of the gaps of each window, as most of what is not the program's makes gaps
// longer. Together, and with what a gap must be to be seen at all, they are the
// bounds, two standard errors of the mean further apart. A gap that is too
// short to be seen has no upper bound of its rate.

#ifndef LINESMAN_WATCH_ACCESSRATES_H
#define LINESMAN_WATCH_ACCESSRATES_H

#include "linesman/Watch/HitCost.h"
#include "linesman/Watch/Instrument.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace linesman::watch {

/// Accesses a second.
struct Rate {
  static constexpr double Unbounded = std::numeric_limits<double>::infinity();
  double Low = 0, High = 0;
  bool isBounded() const { return High != Unbounded; }
};

/// Of one thread at a line, for each second that it runs.
struct LineRate {
  process::ThreadId Thread;
  Rate Reads, Writes;
};

class AccessRates {
public:
  explicit AccessRates(const HitCost &Cost) : Cost(Cost) {}

  /// A step that watched whole words; others say nothing of rates.
  void add(llvm::ArrayRef<Aim> Aims, const StepResult &Step);

  /// Of the threads that were met at line number \p Line, all its words
  /// together, in ascending order. Empty where one was watched in too few
  /// windows to go by.
  /// A thread that \p IsIdle, which hardly runs, is left out where it was
  /// watched too seldom: a main thread that waits for the others, and reads
  /// what they did.
  std::vector<LineRate>
  rates(unsigned Line,
        llvm::function_ref<bool(process::ThreadId)> IsIdle = nullptr) const;

  /// Why \p Known, which are the rates of line number \p Line, are too few for
  /// a price; empty where they are not.
  std::string whyNone(unsigned Line, llvm::ArrayRef<LineRate> Known) const;

  /// Windows that a rate takes.
  static constexpr unsigned FewestWindows = 5;

private:
  struct Cell {
    process::ThreadId Thread;
    unsigned Line = 0;
    unsigned Word = 0;
    friend auto operator<=>(const Cell &, const Cell &) = default;
  };
  /// Over the windows of a cell. The lower bounds and their squares are of
  /// windows that did not end at their bound; of the others the hits count.
  struct Sum {
    Rate Rates;
    double Squares = 0;
    unsigned Hits = 0;
  };
  struct Sums {
    unsigned Windows = 0;
    /// Of the windows in which it was met: hits at all aims, and nanoseconds of
    /// own time between them at least.
    unsigned Met = 0;
    double Own = 0;
    /// Of those that ended at their bound: how many, what of their time could
    /// not be seen, and the gaps.
    unsigned Bounded = 0;
    double Doubt = 0;
    std::vector<float> Gaps;
    Sum Reads, Writes;
  };
  static double longestOfBounded(const Sums &Cell);
  Rate mean(const Sum &Counted, const Sums &Cell) const;
  struct Window {
    /// Nanoseconds of own time at most, and at least (by quartiles);
    /// hits in it.
    double Longest = 0, Shortest = 0;
    unsigned Hits = 0;
    /// In nanoseconds, the shortest first; none where no bound was reached.
    std::vector<float> Gaps;
    /// The last hit that counts; those up to the first one do not.
    uint64_t Begin = 0, End = 0;
  };
  Window windowOf(const ThreadStep &Thread, llvm::ArrayRef<Hit> Hits) const;

  HitCost Cost;
  std::map<Cell, Sums> Cells;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_ACCESSRATES_H
