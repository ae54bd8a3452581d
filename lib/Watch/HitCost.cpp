// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two loops, one that only stores and one that only loads.

#include "linesman/Watch/HitCost.h"
#include "linesman/Watch/Breakpoint.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

/// Of the median, that a gap must be to be seen.
static constexpr double ResolutionShare = 1.0 / 48;
/// Clocks are read in so many nanoseconds, whatever a hit costs.
static constexpr double FinestResolution = 50;

/// A store makes two samples, and the ring holds 128.
static constexpr unsigned HitsOfRound = 40, Rounds = 4, FewestHits = 40;

double HitCost::resolution() const {
  return std::max(FinestResolution,
                  ResolutionShare * std::max(Read.Median, Write.Median));
}

static Expected<HitInterval> measureKind(TriggerKind Kind) {
  alignas(64) volatile uint64_t Word = 0;
  ThreadId Self = {static_cast<int>(::syscall(SYS_gettid))};
  RunAddress Address = {reinterpret_cast<uint64_t>(&Word)};
  Expected<SampleRing> Ring = SampleRing::open(Self);
  if (!Ring)
    return Ring.takeError();
  Expected<Breakpoint> Write =
      Breakpoint::open(Self, Address, 8, TriggerKind::Write);
  if (!Write)
    return Write.takeError();
  Expected<Breakpoint> ReadWrite =
      Breakpoint::open(Self, Address, 8, TriggerKind::ReadWrite);
  if (!ReadWrite)
    return ReadWrite.takeError();
  for (Breakpoint *Watch : {&*Write, &*ReadWrite})
    if (Error E = Ring->attach(*Watch))
      return std::move(E);
  const uint64_t Id =
      Kind == TriggerKind::Write ? Write->id() : ReadWrite->id();

  std::vector<double> Intervals;
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    // More than are made: a bound that is reached costs more.
    for (Breakpoint *Watch : {&*Write, &*ReadWrite})
      if (Error E = Watch->arm(2 * HitsOfRound))
        return std::move(E);
    for (unsigned I = 0; I != HitsOfRound; ++I)
      if (Kind == TriggerKind::Write)
        Word = I;
      else
        (void)Word;
    for (Breakpoint *Watch : {&*ReadWrite, &*Write})
      if (Expected<Breakpoint::Count> Count = Watch->disarm(); !Count)
        return Count.takeError();
    uint64_t Last = 0;
    Ring->drain([&](const SampleRing::Sample &S) {
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
  return HitInterval{Intervals[Intervals.size() / 2],
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
