// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows to probabilities.

#include "linesman/Watch/Evidence.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <thread>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

/// For which a verdict can say "an access every ... would have been missed".
static constexpr uint64_t Gaps[] = {10'000'000,   20'000'000,  50'000'000,
                                    100'000'000,  200'000'000, 500'000'000,
                                    1'000'000'000};
static_assert(Gaps[0] == Evidence::StatedGap);

/// A session can last for hours.
static constexpr size_t MostWindows = 512;

/// The kernel brings the clock of a running thread up to date at each tick.
static constexpr uint64_t TickNanoseconds = 4'000'000;

/// Run time of threads that were not met, as a share of all: so little that one
/// of them was at work for a moment.
static constexpr double StrangersShare = 0.01;

void Evidence::look(ThreadId Thread, ThreadClock Now, uint64_t Time) {
  auto [Entry, IsNew] = Threads.try_emplace(Thread);
  Watched &W = Entry->second;
  bool IsKnown = Now != ThreadClock();
  if (IsNew) {
    W.Met = W.Last = Now;
    W.MetAt = W.LastAt = Time;
    W.WasThereAtStart = LastRunTime == FirstRunTime;
    W.IsClockKnown = IsKnown;
  } else if (IsKnown) {
    // One that had not run at all when it was met has a clock of zeros.
    W.IsClockKnown = true;
    W.Last = Now;
    W.LastAt = Time;
  } else if (W.IsClockKnown) {
    W.HasEnded = true;
  }
}

void Evidence::lookAtProcess(uint64_t RunTime) {
  if (!FirstRunTime)
    FirstRunTime = RunTime;
  LastRunTime = std::max(LastRunTime, RunTime);
}

void Evidence::addWindow(ThreadId Thread, LineWord Word, Absence Kind,
                         uint64_t Ran) {
  if (!Ran)
    return;
  Windows &W = Cells[{Thread, Kind, Word}];
  W.Sum += Ran;
  if (W.Lengths.size() != MostWindows)
    W.Lengths.push_back(static_cast<uint32_t>(
        std::min<uint64_t>(Ran, std::numeric_limits<uint32_t>::max())));
}

double Evidence::Watched::stretch() const {
  uint64_t Elapsed = LastAt - MetAt, Waited = Last.Waited - Met.Waited;
  if (!IsClockKnown || !ran() || Elapsed <= Waited)
    return 1;
  return std::max(1.0, double(Elapsed - Waited) / double(ran()));
}

bool Evidence::Watched::isLight() const {
  double Elapsed = double(LastAt - MetAt);
  // Where it mostly waited, nobody knows what it would have done.
  if (!IsClockKnown || HasEnded ||
      double(Last.Waited - Met.Waited) > Elapsed / 10)
    return false;
  return double(ran()) <= LightShare * Elapsed &&
         double(Last.Slices - Met.Slices) <= LightSlices * Elapsed * 1e-9;
}

const Evidence::Windows *Evidence::windowsOf(ThreadId Thread, Absence Kind,
                                             LineWord Word) const {
  auto Found = Cells.find({Thread, Kind, Word});
  return Found == Cells.end() ? nullptr : &Found->second;
}

/// -ln p(Gap).
static double exponent(ArrayRef<uint32_t> Lengths, double Stretch,
                       uint64_t Gap) {
  double Sum = 0;
  for (uint32_t Length : Lengths)
    Sum += std::min(1.0, double(Length) * Stretch / double(Gap));
  return Sum;
}

Certainty Evidence::answer(const Question &Asked,
                           function_ref<bool(ThreadId)> IsReady) const {
  Certainty Result;
  Result.Claimed = Asked.Claimed;
  Result.Missed = 0;
  size_t Rarest = std::size(Gaps);
  const double Enough = -std::log(Significance);
  uint64_t Known = 0;
  for (const auto &[Thread, W] : Threads) {
    Known += W.Last.Ran - (W.WasThereAtStart ? W.Met.Ran : 0);
    ThreadEvidence T;
    T.Thread = Thread;
    T.Ran = W.ran();
    // One that has ended ran at least to its end.
    if (W.IsClockKnown && !W.HasEnded && !T.Ran && !IsReady(Thread))
      T.Part = ThreadEvidence::Part::Slept;
    else if (W.isLight() && !IsReady(Thread))
      T.Part = ThreadEvidence::Part::HardlyRan;
    T.Missed = 0;
    bool IsAsked = false;
    for (unsigned Word = 0; Word != Asked.Words; ++Word) {
      if (Asked.IsSeen(Thread, Word))
        continue;
      const Windows *Seen =
          windowsOf(Thread, Asked.Claimed, {Asked.Line, Word});
      ArrayRef<uint32_t> Lengths;
      if (Seen)
        Lengths = Seen->Lengths;
      double Missed = std::exp(-exponent(Lengths, W.stretch(), Asked.Gap));
      if (!IsAsked || Missed > T.Missed) {
        T.Missed = Missed;
        T.Armed = Seen ? Seen->Sum : 0;
        T.Windows = Lengths.size();
      }
      IsAsked = true;
      while (T.Part == ThreadEvidence::Part::Watched && Rarest &&
             exponent(Lengths, W.stretch(), Gaps[Rarest - 1]) < Enough)
        --Rarest;
    }
    if (!IsAsked)
      continue;
    if (T.Part == ThreadEvidence::Part::Watched &&
        (!Result.Weakest || T.Missed > Result.Missed)) {
      Result.Missed = T.Missed;
      Result.Weakest = Thread;
    }
    Result.Threads.push_back(T);
  }
  Result.RarestGap = Rarest ? Gaps[Rarest - 1] : 0;
  // Nobody has been met, or nobody ran: there is nothing to go by.
  if (Result.Threads.empty() || all_of(Threads, [](const auto &Entry) {
        return Entry.second.IsClockKnown && !Entry.second.ran();
      })) {
    Result.Missed = 1;
    Result.RarestGap = 0;
  }
  uint64_t Whole = LastRunTime - FirstRunTime;
  Result.Unmet = Whole > Known ? Whole - Known : 0;
  double Doubt = StrangersShare * double(Whole) +
                 double(TickNanoseconds) *
                     double(std::max(1U, std::thread::hardware_concurrency()));
  Result.HasStrangers = double(Result.Unmet) > Doubt;
  return Result;
}

double Evidence::missedByGroup(const Question &Asked,
                               ArrayRef<ThreadId> Group) const {
  double Worst = 0;
  for (unsigned Word = 0; Word != Asked.Words; ++Word) {
    if (any_of(Group, [&](ThreadId T) { return Asked.IsSeen(T, Word); }))
      continue;
    double Sum = 0;
    for (ThreadId Thread : Group) {
      const Windows *Seen =
          windowsOf(Thread, Asked.Claimed, {Asked.Line, Word});
      auto Found = Threads.find(Thread);
      if (Seen && Found != Threads.end())
        Sum += exponent(Seen->Lengths, Found->second.stretch(), Asked.Gap);
    }
    Worst = std::max(Worst, std::exp(-Sum));
  }
  return Worst;
}

bool Certainty::suffices() const {
  return Missed < Evidence::Significance && !HasStrangers;
}

} // namespace linesman::watch
