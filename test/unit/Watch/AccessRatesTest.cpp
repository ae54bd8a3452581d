// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rates from steps that are made with known ones: hits of 10 µs, some of which
// cost more.

#include "linesman/Watch/AccessRates.h"
#include <gtest/gtest.h>
#include <random>

using namespace linesman::process;
using namespace linesman::watch;

namespace {

constexpr HitCost Cost = {{9000, 9500}, {10000, 10500}};
constexpr unsigned Bound = 10;
const Aim Word0 = {0, {0, 8}, {0x1000}}, Word5 = {0, {40, 8}, {0x1028}};

class AccessRatesTest : public testing::Test {
protected:
  AccessRates Rates{Cost};
  std::minstd_rand Random{7};

  /// A step in which a thread alternates \p Kinds at the first aim, \p Gap
  /// nanoseconds apart, until it reaches the bound. Every tenth hit costs 5 µs
  /// more; so does the first one, and the last one 8.
  void addHot(double Gap, std::vector<AccessKind> Kinds, int Thread = 1) {
    StepResult Step;
    double Now = 1e6;
    for (unsigned I = 0; I != Bound; ++I) {
      AccessKind Kind = Kinds[I % Kinds.size()];
      Step.Hits.push_back({{Thread}, 0, Kind, {0x400000}, true, uint64_t(Now)});
      Now += Gap + (Kind == AccessKind::Write ? 10000 : 9000) +
             (Random() % 10 == 0 || I == 0 ? 5000 : 0) +
             (I == Bound - 2 ? 8000 : 0);
    }
    ThreadStep T;
    T.Thread = {Thread};
    T.Traps = Bound;
    T.Ceilings = 1;
    T.Exposures[0] =
        T.Exposures[1] = {uint64_t(Now), uint64_t(Now), true, true};
    Step.Threads.push_back(T);
    Rates.add({Word0, Word5}, Step);
  }

  /// One in which each interval between hits is \p Between nanoseconds of own
  /// time, by its number.
  template <typename Function> void addWith(Function Between) {
    StepResult Step;
    double Now = 1e6;
    for (unsigned I = 0; I != Bound; ++I, ++Made) {
      Step.Hits.push_back(
          {{1}, 0, AccessKind::Write, {0x400000}, true, uint64_t(Now)});
      Now += 10000 + Between(Made);
    }
    ThreadStep T;
    T.Thread = {1};
    T.Traps = Bound;
    T.Ceilings = 1;
    T.Exposures[0] =
        T.Exposures[1] = {uint64_t(Now), uint64_t(Now), true, true};
    Step.Threads.push_back(T);
    Rates.add({Word0, Word5}, Step);
  }
  unsigned Made = 0;

  /// One in which it ran for \p Ran nanoseconds and made \p Writes.
  void addQuiet(uint64_t Ran, unsigned Writes, int Thread = 1) {
    StepResult Step;
    for (unsigned I = 0; I != Writes; ++I)
      Step.Hits.push_back({{Thread},
                           0,
                           AccessKind::Write,
                           {0x400000},
                           true,
                           1'000'000 + I * 100'000});
    ThreadStep T;
    T.Thread = {Thread};
    T.Traps = Writes;
    T.Exposures[0] = T.Exposures[1] = {Ran, Ran, Writes != 0, Writes != 0};
    Step.Threads.push_back(T);
    Rates.add({Word0, Word5}, Step);
  }

  LineRate only() {
    std::vector<LineRate> All = Rates.rates(0);
    EXPECT_EQ(All.size(), 1u);
    return All.empty() ? LineRate() : All.front();
  }
};

TEST_F(AccessRatesTest, AMillionASecond) {
  for (unsigned I = 0; I != 40; ++I)
    addHot(1000, {AccessKind::Write});
  LineRate R = only();
  EXPECT_LE(R.Writes.Low, 1e6);
  EXPECT_GE(R.Writes.High, 1e6);
  // The aim is a factor of 2.
  EXPECT_GT(R.Writes.Low, 0.5e6);
  EXPECT_LT(R.Writes.High, 2e6);
  EXPECT_EQ(R.Reads.High, 0);
}

TEST_F(AccessRatesTest, InterruptsAreNotTheProgramsTime) {
  for (unsigned I = 0; I != 60; ++I)
    addWith([](unsigned Hit) { return 1000 + (Hit % 15 == 7 ? 14000 : 0); });
  LineRate R = only();
  EXPECT_LE(R.Writes.Low, 1e6);
  EXPECT_GE(R.Writes.High, 1e6);
  EXPECT_GT(R.Writes.Low, 0.6e6);
}

TEST_F(AccessRatesTest, PausesOfBurstsAre) {
  // Eight accesses, and a pause of 20 µs.
  for (unsigned I = 0; I != 60; ++I)
    addWith([](unsigned Hit) { return 500 + (Hit % 8 == 0 ? 20000 : 0); });
  EXPECT_LE(only().Writes.Low, 8e9 / (8 * 500 + 20000));
}

TEST_F(AccessRatesTest, ReadsAndWritesInTurn) {
  for (unsigned I = 0; I != 40; ++I)
    addHot(5000, {AccessKind::Read, AccessKind::Write});
  LineRate R = only();
  for (Rate One : {R.Reads, R.Writes}) {
    EXPECT_LE(One.Low, 1.3e5);
    EXPECT_GE(One.High, 0.8e5);
    EXPECT_TRUE(One.isBounded());
  }
}

TEST_F(AccessRatesTest, TooFastToTell) {
  for (unsigned I = 0; I != 40; ++I)
    addHot(20, {AccessKind::Write});
  LineRate R = only();
  EXPECT_GT(R.Writes.Low, 5e5);
  EXPECT_LE(R.Writes.Low, 5e7);
  EXPECT_FALSE(R.Writes.isBounded());
}

TEST_F(AccessRatesTest, RareOnesByTheTimeItRan) {
  for (unsigned I = 0; I != 50; ++I)
    addQuiet(4'000'000, 2);
  LineRate R = only();
  EXPECT_NEAR(R.Writes.Low, 500, 10);
  EXPECT_NEAR(R.Writes.High, 500, 10);
}

TEST_F(AccessRatesTest, BurstsAreAsLongAsWindowsSay) {
  // Half of its time it does something else.
  for (unsigned I = 0; I != 40; ++I) {
    addHot(1000, {AccessKind::Write});
    addQuiet(4'000'000, 0);
  }
  LineRate R = only();
  EXPECT_LE(R.Writes.Low, 0.5e6);
  EXPECT_GE(R.Writes.High, 0.5e6);
  EXPECT_GT(R.Writes.Low, 0.2e6);
  EXPECT_LT(R.Writes.High, 1e6);
}

TEST_F(AccessRatesTest, TooFewWindows) {
  addHot(1000, {AccessKind::Write});
  addHot(1000, {AccessKind::Write}, 2);
  EXPECT_TRUE(Rates.rates(0).empty());
  for (unsigned I = 0; I != 40; ++I)
    addHot(1000, {AccessKind::Write});
  // One thread is known, the other is not: the line is not.
  EXPECT_TRUE(Rates.rates(0).empty());
  // But where the other one does not matter.
  EXPECT_EQ(Rates.rates(0, [](ThreadId T) { return T.Value == 2; }).size(), 1u);
  EXPECT_TRUE(Rates.rates(0, [](ThreadId T) { return T.Value == 1; }).empty());
}

TEST_F(AccessRatesTest, NobodyWasMet) {
  for (unsigned I = 0; I != 40; ++I)
    addQuiet(4'000'000, 0);
  EXPECT_TRUE(Rates.rates(0).empty());
  EXPECT_TRUE(Rates.rates(1).empty());
}

TEST_F(AccessRatesTest, PartsOfAWordDoNotCount) {
  StepResult Step;
  for (unsigned I = 0; I != 5; ++I)
    Step.Hits.push_back(
        {{1}, 0, AccessKind::Write, {0x400000}, true, I * 20'000});
  ThreadStep T;
  T.Thread = {1};
  Step.Threads.push_back(T);
  for (unsigned I = 0; I != 40; ++I)
    Rates.add({Aim{0, {0, 4}, {0x1000}}, Aim{0, {4, 4}, {0x1004}}}, Step);
  EXPECT_TRUE(Rates.rates(0).empty());
}

} // namespace
