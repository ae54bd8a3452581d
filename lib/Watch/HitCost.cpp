// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two loops, one that only stores and one that only loads.

#include "linesman/Watch/HitCost.h"
#include "OwnWatch.h"
#include "linesman/Layout/Address.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>
#include <vector>

using namespace llvm;

namespace linesman::watch {

/// Of the median, that a gap must be to be seen.
static constexpr double ResolutionShare = 1.0 / 48;
/// Nanoseconds that reading the clocks takes at least, whatever a hit costs.
static constexpr double FinestResolution = 50;

/// Of the median. What takes longer is no hit: another program had the
/// processor, for milliseconds.
static constexpr double LongestHit = 8;

/// A store makes two samples, and the ring holds 128.
static constexpr unsigned HitsOfRound = 40, Rounds = 4, FewestHits = 40;

double HitCost::resolution() const {
  return std::max(FinestResolution,
                  ResolutionShare * std::max(Read.Median, Write.Median));
}

static Expected<HitInterval> measureKind(TriggerKind Kind) {
  alignas(layout::LineSize().Bytes) volatile uint64_t Word = 0;
  Expected<OwnWatch> Watch = OwnWatch::open(Word);
  if (!Watch)
    return Watch.takeError();
  const uint64_t Id =
      Kind == TriggerKind::Write ? Watch->Write.id() : Watch->ReadWrite.id();

  std::vector<double> Intervals;
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    // More than are made: a bound that is reached costs more.
    if (Error E = Watch->arm(2 * HitsOfRound))
      return std::move(E);
    for (unsigned I = 0; I != HitsOfRound; ++I)
      if (Kind == TriggerKind::Write)
        Word = I;
      else
        (void)Word;
    for (Breakpoint *Armed : {&Watch->ReadWrite, &Watch->Write})
      if (Expected<Breakpoint::Count> Count = Armed->disarm(); !Count)
        return Count.takeError();
    uint64_t Last = 0;
    Watch->Ring.drain([&](const SampleRing::Sample &S) {
      if (S.Id != Id)
        return;
      if (Last)
        Intervals.push_back(double(S.Time - Last));
      Last = S.Time;
    });
  }
  if (Intervals.size() < FewestHits)
    return createStringError("too few hits to tell what one costs");
  llvm::sort(Intervals);
  const double Median = Intervals[Intervals.size() / 2];
  llvm::erase_if(Intervals, [&](double I) { return I > LongestHit * Median; });
  return HitInterval{Median,
                     std::accumulate(Intervals.begin(), Intervals.end(), 0.0) /
                         double(Intervals.size())};
}

Expected<HitCost> measureHitCost() {
  Expected<HitInterval> Write = measureKind(TriggerKind::Write);
  if (!Write)
    return Write.takeError();
  Expected<HitInterval> Read = measureKind(TriggerKind::ReadWrite);
  if (!Read)
    return Read.takeError();
  return HitCost{*Read, *Write};
}

} // namespace linesman::watch
