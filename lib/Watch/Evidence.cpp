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

/// What a thread runs in so many turns where it need not wait: four steps of
/// 4 ms each. Turns in which it waited more than it ran add up to as much.
static constexpr uint64_t EnoughRun = EnoughTurns * 4 * 4'000'000;

void Evidence::addTurn(ThreadId Thread, ThreadClock From, ThreadClock To) {
  Watch &W = Watches[Thread];
  uint64_t Ran = To.Ran - From.Ran, Waited = To.Waited - From.Waited;
  W.Turns += Waited <= Ran;
  W.Ran += Ran;
}

bool Evidence::suffices(ArrayRef<ThreadId> Alive,
                        function_ref<ThreadClock(ThreadId)> Now) const {
  return all_of(Alive, [&](ThreadId Thread) {
    auto It = Watches.find(Thread);
    if (It == Watches.end())
      return false;
    const Watch &W = It->second;
    // One that sleeps does nothing to the line. A clock of zero is not known.
    ThreadClock Clock = Now(Thread);
    if (Clock == W.Met && Clock != ThreadClock())
      return true;
    return W.Turns >= EnoughTurns || W.Ran >= EnoughRun;
  });
}

} // namespace linesman::watch
