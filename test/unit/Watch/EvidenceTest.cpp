// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Watch/Evidence.h"
#include "gtest/gtest.h"
#include <map>

using namespace linesman::watch;

namespace {

constexpr uint64_t Millisecond = 1'000'000;
constexpr ThreadId Main{1}, Worker{2};

/// Threads, their clocks, and what is known of them.
struct Scene {
  std::map<ThreadId, ThreadClock> Clocks;
  Evidence Known;

  Scene() {
    for (ThreadId Thread : {Main, Worker}) {
      Clocks[Thread] = {7 * Millisecond, 3 * Millisecond};
      Known.meet(Thread, Clocks[Thread]);
    }
  }

  /// In each of so many turns a thread runs and waits so many milliseconds.
  Scene &watch(ThreadId Thread, unsigned Turns, uint64_t Ran, uint64_t Waited) {
    for (unsigned I = 0; I != Turns; ++I) {
      ThreadClock From = Clocks[Thread];
      ThreadClock To{From.Ran + Ran * Millisecond,
                     From.Waited + Waited * Millisecond};
      Known.addTurn(Thread, From, To);
      Clocks[Thread] = To;
    }
    return *this;
  }

  bool suffices(llvm::ArrayRef<ThreadId> Alive) const {
    return Known.suffices(Alive, [&](ThreadId T) { return Clocks.at(T); });
  }
};

TEST(Evidence, NeedsSeveralTurnsOfEveryThreadThatRan) {
  Scene S;
  S.watch(Main, 8, 16, 0);
  EXPECT_TRUE(S.suffices({Main, Worker})) << "the worker slept";
  S.Clocks[Worker].Ran += Millisecond;
  EXPECT_FALSE(S.suffices({Main, Worker})) << "it ran, and was never watched";
  S.watch(Worker, 7, 1, 0);
  EXPECT_FALSE(S.suffices({Main, Worker}));
  S.watch(Worker, 1, 1, 0);
  EXPECT_TRUE(S.suffices({Main, Worker}));
}

TEST(Evidence, AThreadThatHasEndedNeedsMoreTurns) {
  Scene S;
  S.watch(Main, 8, 16, 0);
  EXPECT_FALSE(S.suffices({Main})) << "it ran at least to its end";
  S.watch(Worker, 31, 1, 0);
  EXPECT_FALSE(S.suffices({Main}));
  S.watch(Worker, 1, 1, 0);
  EXPECT_TRUE(S.suffices({Main}));
  EXPECT_FALSE(S.suffices({})) << "the process has exited";
  S.watch(Main, 24, 16, 0);
  EXPECT_TRUE(S.suffices({}));
}

TEST(Evidence, ATurnThatAThreadDidNotOutliveDoesNotCount) {
  Scene S;
  S.Clocks[Worker].Ran += Millisecond;
  S.Known.addTurn(Worker, S.Clocks[Worker], {});
  EXPECT_FALSE(S.suffices({Main, Worker})) << "a clock of zero is no long run";
}

TEST(Evidence, WithoutAnyThreadNothingIsKnown) {
  EXPECT_FALSE(Evidence().suffices({}, [](ThreadId) { return ThreadClock(); }));
}

TEST(Evidence, AThreadThatWasJustCreatedHasShownNothing) {
  Scene S;
  constexpr ThreadId Late{3};
  EXPECT_FALSE(S.suffices({Main, Worker, Late}));
}

TEST(Evidence, AClockThatIsNotKnownIsNotOneThatStands) {
  Scene S;
  S.Clocks[Worker] = {};
  S.Known.meet(Worker, {});
  EXPECT_FALSE(S.suffices({Main, Worker}));
}

TEST(Evidence, AThreadThatSleepsMostlyIsNotStarved) {
  EXPECT_TRUE(Scene().watch(Worker, 8, 1, 1).suffices({Main, Worker}));
}

TEST(Evidence, AThreadThatSleepsAfterABusyStartIsNotStarved) {
  Scene S;
  S.watch(Main, 1, 4, 36).watch(Main, 7, 0, 0);
  EXPECT_FALSE(S.suffices({Main, Worker}));
  EXPECT_TRUE(S.watch(Main, 1, 0, 0).suffices({Main, Worker}));
}

TEST(Evidence, AStarvedThreadHasToRunAsLong) {
  Scene S;
  S.watch(Worker, 31, 4, 36);
  EXPECT_FALSE(S.suffices({Main, Worker}));
  S.watch(Worker, 1, 4, 36);
  EXPECT_TRUE(S.suffices({Main, Worker}));
}

TEST(Evidence, AThreadThatOnlyWaitedHasShownNothing) {
  EXPECT_FALSE(Scene().watch(Worker, 100, 0, 40).suffices({Main, Worker}));
}

} // namespace
