// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Watch/Evidence.h"
#include "Times.h"
#include "linesman/Process/State.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace linesman::process;
using namespace linesman::watch;

namespace {

constexpr ThreadId Main{1}, Worker{2};
constexpr unsigned Words = 2;

bool isNeverSeen(ThreadId, unsigned) { return false; }
bool isMain(ThreadId Thread, unsigned) { return Thread == Main; }

/// Two threads and their clocks; at first each has run for a while.
struct Scene {
  std::map<ThreadId, ThreadClock> Clocks;
  std::set<ThreadId> Ready;
  uint64_t Now = 1000 * Millisecond, ProcessTime = 50 * Millisecond;
  Evidence Known;

  Scene() {
    for (ThreadId Thread : {Main, Worker})
      Clocks[Thread] = {7 * Millisecond, 3 * Millisecond, 2};
    look();
  }

  void look() {
    Known.lookAtProcess(ProcessTime);
    for (const auto &[Thread, Clock] : Clocks)
      Known.look(Thread, Clock, Now);
  }

  Scene &pass(uint64_t Milliseconds) {
    Now += Milliseconds * Millisecond;
    return *this;
  }

  Scene &run(ThreadId Thread, uint64_t Ran, uint64_t Waited = 0,
             uint64_t Slices = 100) {
    ThreadClock &C = Clocks[Thread];
    C.Ran += Ran * Millisecond;
    C.Waited += Waited * Millisecond;
    C.Slices += Slices;
    ProcessTime += Ran * Millisecond;
    return *this;
  }

  Scene &watch(ThreadId Thread, unsigned Windows, double Milliseconds) {
    for (unsigned I = 0; I != Windows; ++I)
      for (unsigned Word = 0; Word != Words; ++Word)
        Known.addWindow(Thread, {0, Word}, Absence::Accesses,
                        uint64_t(Milliseconds * Millisecond));
    return *this;
  }

  Certainty answer() {
    look();
    return Known.answer(
        {0, Words, Absence::Accesses, [](ThreadId, unsigned) { return false; }},
        [&](ThreadId T) { return Ready.count(T) != 0; });
  }
};

TEST(Evidence, AWindowOfAGapIsOneChance) {
  Scene S;
  S.pass(1000).run(Worker, 1000).watch(Worker, 6, 10);
  EXPECT_NEAR(S.answer().Missed, std::exp(-6), 1e-9);
  EXPECT_FALSE(S.answer().suffices());
  S.watch(Worker, 1, 10);
  EXPECT_TRUE(S.answer().suffices());
  EXPECT_EQ(S.answer().RarestGap, 10 * Millisecond);
  EXPECT_EQ(S.answer().Weakest, Worker) << "the main thread slept";
}

TEST(Evidence, ALongWindowIsNoMoreThanOne) {
  Scene S;
  S.pass(1000).run(Worker, 1000).watch(Worker, 6, 100);
  EXPECT_FALSE(S.answer().suffices()) << "one phase of the program";
  S.watch(Worker, 1, 100);
  EXPECT_TRUE(S.answer().suffices());
  EXPECT_EQ(S.answer().RarestGap, 100 * Millisecond);
}

TEST(Evidence, TheWordThatWasWatchedLeastDecides) {
  Scene S;
  S.pass(1000).run(Worker, 1000).watch(Worker, 20, 10);
  Evidence::Question Asked{0, Words + 1, Absence::Accesses, isNeverSeen};
  S.look();
  EXPECT_EQ(S.Known.answer(Asked, [](ThreadId) { return false; }).Missed, 1);
  Asked.Words = Words;
  Asked.Claimed = Absence::Stores;
  EXPECT_EQ(S.Known.answer(Asked, [](ThreadId) { return false; }).Missed, 1);
}

TEST(Evidence, WaitingIsNoEvidenceAndSleepIsNoWork) {
  // It had a tenth of the processor that it wanted: only what it ran counts.
  Scene S;
  S.pass(1000).run(Worker, 100, 900).watch(Worker, 20, 1);
  EXPECT_NEAR(S.answer().Missed, std::exp(-2), 1e-3);
  // It slept nine tenths of its time: an access every 10 ms of that is one in
  // each millisecond that it runs.
  Scene T;
  T.pass(1000).run(Worker, 100, 0).watch(Worker, 20, 1);
  EXPECT_NEAR(T.answer().Missed, std::exp(-20), 1e-9);
}

TEST(Evidence, AThreadThatDidNotRunNeedsNoWatching) {
  Scene S;
  S.pass(1000).run(Main, 1000).watch(Main, 10, 10);
  EXPECT_TRUE(S.answer().suffices());
  S.Ready.insert(Worker);
  EXPECT_FALSE(S.answer().suffices()) << "it waits for a processor";
}

TEST(Evidence, ATimerThatTicksOnceASecondCanDoNoHarm) {
  Scene S;
  S.pass(3000).run(Main, 3000).watch(Main, 10, 10);
  S.Clocks[Worker].Ran += Millisecond / 10;
  S.Clocks[Worker].Slices += 3;
  Certainty Answer = S.answer();
  EXPECT_TRUE(Answer.suffices());
  EXPECT_EQ(Answer.Threads[1].Part, ThreadEvidence::Part::HardlyRan);
  S.Clocks[Worker].Slices += 30;
  EXPECT_FALSE(S.answer().suffices()) << "it comes by ten times a second";
}

TEST(Evidence, AStarvedThreadIsNotAsleep) {
  Scene S;
  S.pass(1000).run(Main, 1000).watch(Main, 10, 10);
  S.run(Worker, 0, 999, 0);
  S.Clocks[Worker].Ran += 1000;
  EXPECT_FALSE(S.answer().suffices());
}

TEST(Evidence, AThreadThatHasEndedRanToItsEnd) {
  Scene S;
  S.pass(1000).run(Main, 1000).watch(Main, 10, 10);
  S.answer();
  S.Clocks[Worker] = {};
  EXPECT_FALSE(S.answer().suffices());
  S.watch(Worker, 10, 10);
  EXPECT_TRUE(S.answer().suffices());
}

TEST(Evidence, ThreadsThatNobodyMetPreventARefutation) {
  Scene S;
  S.pass(1000).run(Main, 1000).watch(Main, 10, 10);
  EXPECT_FALSE(S.answer().HasStrangers);
  S.ProcessTime += 500 * Millisecond;
  EXPECT_TRUE(S.answer().HasStrangers);
  EXPECT_FALSE(S.answer().suffices());
  EXPECT_EQ(S.answer().Unmet, 500 * Millisecond);
}

TEST(Evidence, ALateThreadIsNoStranger) {
  Scene S;
  S.pass(500).run(Main, 500);
  S.look();
  constexpr ThreadId Late{3};
  S.run(Late, 400);
  S.pass(500).run(Main, 500).watch(Main, 10, 10);
  EXPECT_FALSE(S.answer().HasStrangers);
}

TEST(Evidence, NobodyRanMeansNothing) {
  Scene S;
  EXPECT_FALSE(S.pass(1000).answer().suffices());
  EXPECT_FALSE(Certainty().suffices());
}

TEST(Evidence, WithoutClocksOnlyWindowsCount) {
  Scene S;
  S.Clocks.clear();
  S.Known = {};
  for (ThreadId Thread : {Main, Worker})
    S.Clocks[Thread] = {};
  S.look();
  EXPECT_FALSE(S.pass(1000).watch(Main, 10, 10).answer().suffices());
  EXPECT_TRUE(S.watch(Worker, 10, 10).answer().suffices());
}

TEST(Evidence, AGroupsWindowsAddUp) {
  Scene S;
  S.pass(1000).run(Main, 1000).run(Worker, 1000);
  S.watch(Main, 4, 10).watch(Worker, 4, 10);
  S.look();
  Evidence::Question Asked{0, Words, Absence::Accesses, isNeverSeen};
  EXPECT_NEAR(S.Known.missedByGroup(Asked, {Main}), std::exp(-4), 1e-9);
  EXPECT_NEAR(S.Known.missedByGroup(Asked, {Main, Worker}), std::exp(-8), 1e-9);
  Asked.IsSeen = isMain;
  EXPECT_EQ(S.Known.missedByGroup(Asked, {Main, Worker}), 0);
}

/// The claim itself: of watches that miss every access, the share is at most
/// what is said. A thread runs for a third of the time, in slices, and touches
/// the word once in each gap of its run time, at the same place of the gap or
/// anywhere; windows begin at random.
TEST(Evidence, NoMoreWatchesMissThanItSays) {
  std::mt19937 Random(7);
  auto Uniform = [&](double Begin, double End) {
    return std::uniform_real_distribution<double>(Begin, End)(Random);
  };
  for (bool IsPeriodic : {true, false}) {
    unsigned Missed = 0;
    double Said = 0;
    constexpr unsigned Tries = 20000;
    for (unsigned Try = 0; Try != Tries; ++Try) {
      // In milliseconds of run time; one access in each gap of 10 on average.
      std::vector<double> Accesses;
      double Phase = Uniform(0, 10);
      for (double Gap = 0; Gap < 2000; Gap += 10)
        Accesses.push_back(IsPeriodic ? Gap + Phase : Uniform(0, 2000));
      Scene S;
      S.pass(2000).run(Worker, 2000);
      bool Seen = false;
      for (unsigned Window = 0; Window != 5; ++Window) {
        double Length = Uniform(0, 8), Begin = Uniform(0, 1990);
        S.watch(Worker, 1, Length);
        for (double Time : Accesses)
          Seen |= Time >= Begin && Time < Begin + Length;
      }
      Missed += !Seen;
      Said += S.answer().Missed;
    }
    EXPECT_LE(Missed, 1.05 * Said + 3 * std::sqrt(Said))
        << (IsPeriodic ? "periodic" : "irregular");
    EXPECT_GT(Missed, 0u) << "the test could not fail";
  }
}

} // namespace
