// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rates to a price; against random interleavings, which the interval must hold.

#include "linesman/Drive/PredictedCost.h"
#include <gtest/gtest.h>
#include <random>

using namespace linesman::drive;
using linesman::watch::Rate;

namespace {

Rate exactly(double Value) { return {Value, Value}; }

TEST(PredictedCost, TwoWriters) {
  auto Cost = predictCost({{{}, exactly(1e6), 1}, {{}, exactly(1e6), 1}},
                          /*TransferNanoseconds=*/50);
  ASSERT_TRUE(Cost);
  EXPECT_DOUBLE_EQ(Cost->Transfers.Low, 1e6);
  EXPECT_DOUBLE_EQ(Cost->Transfers.High, 2e6);
  EXPECT_DOUBLE_EQ(Cost->LowShare, 0.025);
  EXPECT_DOUBLE_EQ(Cost->HighShare, 0.05);
  EXPECT_EQ(describe(*Cost), "1.0 million to 2.0 million transfers a second x "
                             "50 ns: 2.5 to 5.0 % of the time of 2 threads");
}

TEST(PredictedCost, TheRareOneDecides) {
  // A reader of ten million meets a writer of a thousand: one transfer each to
  // the reader, and one back.
  auto Cost = predictCost({{exactly(1e7), {}, 1}, {{}, exactly(1e3), 1}}, 100);
  ASSERT_TRUE(Cost);
  EXPECT_DOUBLE_EQ(Cost->Transfers.High, 2e3);
  EXPECT_LT(Cost->HighShare, 0.0002);
}

TEST(PredictedCost, ReadersAloneTransferNothing) {
  auto Cost = predictCost({{exactly(1e7), {}, 1}, {exactly(1e7), {}, 1}}, 100);
  ASSERT_TRUE(Cost);
  EXPECT_EQ(Cost->Transfers.High, 0);
  EXPECT_EQ(Cost->HighShare, 0);
}

TEST(PredictedCost, NobodyElseNoPrice) {
  EXPECT_FALSE(predictCost({}, 100));
  EXPECT_FALSE(predictCost({{{}, exactly(1e7), 1}}, 100));
  EXPECT_FALSE(predictCost({{{}, exactly(1), 0}, {{}, exactly(1), 0}}, 100));
}

TEST(PredictedCost, NobodyWaitsLongerThanItRuns) {
  auto Cost =
      predictCost({{{}, exactly(1e9), 1}, {{}, exactly(1e9), 0.5}}, 100);
  ASSERT_TRUE(Cost);
  EXPECT_DOUBLE_EQ(Cost->HighShare, 1);
}

TEST(PredictedCost, WhoHasTheLineMakesManyAccesses) {
  // However quick the two are, in 500 ns each may have it once.
  auto Cost =
      predictCost({{{}, exactly(1e9), 1}, {{}, exactly(1e9), 0.5}}, 100);
  ASSERT_TRUE(Cost);
  EXPECT_DOUBLE_EQ(Cost->LowShare, 0.2);
  EXPECT_DOUBLE_EQ(Cost->Transfers.Low, 2e6 + 1e6);
  EXPECT_FALSE(Cost->isWide());
}

TEST(PredictedCost, AtLeast) {
  Rate Fast{4e6, Rate::Unbounded};
  auto Cost = predictCost({{{}, Fast, 1}, {{}, Fast, 1}}, 50);
  ASSERT_TRUE(Cost);
  EXPECT_FALSE(Cost->Transfers.isBounded());
  EXPECT_DOUBLE_EQ(Cost->LowShare, 0.1);
  EXPECT_DOUBLE_EQ(Cost->HighShare, 1);
  EXPECT_EQ(describe(*Cost), "cannot tell well: 4.0 million transfers a second "
                             "or more, x 50 ns: 10 % of the time of 2 threads "
                             "or more");
  // One that writes seldom bounds it, however fast the other one is.
  Cost = predictCost({{Fast, {}, 1}, {{}, exactly(1e3), 1}}, 50);
  ASSERT_TRUE(Cost);
  EXPECT_DOUBLE_EQ(Cost->Transfers.High, 2e3);
  // A thread that never runs does nothing, whatever its rate is.
  Cost = predictCost({{{}, Fast, 1}, {{}, Fast, 0}}, 50);
  ASSERT_TRUE(Cost);
  EXPECT_EQ(Cost->Transfers.High, 0);
}

TEST(PredictedCost, SaysWhatItCannotTell) {
  auto textFor = [](double High) {
    return describe(
        *predictCost({{{}, {1e4, High}, 1}, {{}, {1e4, High}, 1}}, 100));
  };
  // The model alone makes a factor of 2 of rates that are known.
  EXPECT_EQ(textFor(3e4), "10 thousand to 60 thousand transfers a second x 100 "
                          "ns: 0.05 to 0.30 % of the time of 2 threads");
  EXPECT_EQ(textFor(1e6),
            "cannot tell well: 10 thousand to 2.0 million transfers a second x "
            "100 ns: 0.05 to 10 % of the time of 2 threads");
}

TEST(PredictedCost, ReadsWhatItSaid) {
  for (Rate R : {exactly(3e5), Rate{4e6, Rate::Unbounded}}) {
    auto Cost = predictCost({{{}, R, 1}, {{}, R, 1}}, 50);
    PredictedCost Read = readPrice(describePrice(*Cost));
    EXPECT_EQ(describe(Read), describe(*Cost));
    EXPECT_EQ(Read.HighShare, Cost->HighShare);
    EXPECT_EQ(describePrice(*Cost).Transfers.High.has_value(), R.isBounded());
  }
}

/// Counts the transfers of one line as its states have it: shared copies and
/// one owner.
TEST(PredictedCost, HoldsRandomInterleavings) {
  std::mt19937 Random(11);
  for (unsigned Case = 0; Case != 200; ++Case) {
    unsigned Threads = 2 + Random() % 3;
    std::vector<ThreadUse> Uses;
    std::vector<double> Weights;
    for (unsigned T = 0; T != Threads; ++T) {
      double Reads = Random() % 4 ? double(Random() % 1000) : 0;
      double Writes = Random() % 4 ? double(Random() % 1000) : 0;
      Uses.push_back({exactly(Reads), exactly(Writes), 1});
      Weights.insert(Weights.end(), {Reads, Writes});
    }
    double All = 0;
    for (double W : Weights)
      All += W;
    if (All == 0)
      continue;
    std::discrete_distribution<unsigned> Next(Weights.begin(), Weights.end());
    std::vector<bool> HasCopy(Threads, false);
    unsigned Owner = Threads;
    constexpr unsigned Steps = 20000;
    double Transfers = 0;
    for (unsigned Step = 0; Step != Steps; ++Step) {
      unsigned Event = Next(Random), T = Event / 2;
      if (Event % 2) {
        Transfers += Owner != T;
        HasCopy.assign(Threads, false);
        HasCopy[T] = true;
        Owner = T;
      } else if (!HasCopy[T]) {
        ++Transfers;
        HasCopy[T] = true;
        Owner = Threads;
      }
    }
    double Rate = Transfers / Steps * All;
    auto Cost = predictCost(Uses, 1);
    ASSERT_TRUE(Cost);
    // Some of the first transfers are of a line that nobody has.
    double Slack = 0.02 * All + Threads;
    EXPECT_LE(Rate, Cost->Transfers.High + Slack) << "case " << Case;
    EXPECT_GE(Rate, Cost->Transfers.Low - Slack) << "case " << Case;
  }
}

} // namespace
