// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much watching is enough.

#include "linesman/Watch/Evidence.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::watch {

/// Two seconds make about 50 turns on a line that everybody hits and 120 on a
/// quiet one.
static constexpr unsigned EnoughTurns = 8;

/// Of one that has ended. A word is armed for a quarter of a turn of 16 ms: a
/// thread that comes by every 60 ms and ends after eight turns is missed more
/// often than not, and after 32 one time in ten.
static constexpr unsigned EnoughTurnsOfEnded = 32;

/// What a thread runs in a turn where it need not wait: four steps of 4 ms
/// each, in nanoseconds. Turns in which it waited more than it ran add up to as
/// much.
static constexpr uint64_t RunOfTurn = 4 * 4'000'000;

void Evidence::addTurn(ThreadId Thread, ThreadClock From, ThreadClock To) {
  // The clock of a thread that has ended is not known.
  if (To.Ran < From.Ran || To.Waited < From.Waited)
    return;
  Watch &W = Watches[Thread];
  uint64_t Ran = To.Ran - From.Ran, Waited = To.Waited - From.Waited;
  W.Turns += Waited <= Ran;
  W.Ran += Ran;
}

bool Evidence::Watch::lasted(unsigned Enough) const {
  return Turns >= Enough || Ran >= Enough * RunOfTurn;
}

bool Evidence::suffices(ArrayRef<ThreadId> Alive,
                        function_ref<ThreadClock(ThreadId)> Now) const {
  if (Watches.empty() || !all_of(Alive, [&](ThreadId T) { return knows(T); }))
    return false;
  return all_of(Watches, [&](const auto &Known) {
    const auto &[Thread, W] = Known;
    if (!is_contained(Alive, Thread))
      return W.lasted(EnoughTurnsOfEnded);
    // One that sleeps does nothing to the line. A clock of zero is not known.
    ThreadClock Clock = Now(Thread);
    if (Clock == W.Met && Clock != ThreadClock())
      return true;
    return W.lasted(EnoughTurns);
  });
}

} // namespace linesman::watch
