// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Bisect/Compare.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace linesman::bisect;

namespace {

/// Runs a whole comparison on made-up data: looks until it can tell, at most
/// \p Looks times.
struct Bench {
  std::mt19937_64 Random;
  double Difference = 1, Noise = 0.03, DriftPerHalf = 1;

  Comparison run(unsigned Looks, const CompareConfig &Config = {}) {
    std::vector<Round> Rounds;
    std::normal_distribution<> Normal(0, Noise);
    double Level = 100;
    for (unsigned Look = 0;; ++Look) {
      while (Rounds.size() < roundsAtLook(Look)) {
        Round R;
        bool AFirst = Rounds.size() % 2 == 0;
        R.First = AFirst ? Round::Order::AFirst : Round::Order::BFirst;
        auto measure = [&](double Value) {
          Level *= DriftPerHalf;
          return Level * Value * std::exp(Normal(Random));
        };
        if (AFirst) {
          R.A = measure(1);
          R.B = measure(Difference);
        } else {
          R.B = measure(Difference);
          R.A = measure(1);
        }
        Rounds.push_back(R);
      }
      Comparison Result = compare(Rounds, Look, Config);
      if (Result.Verdict != Answer::CannotTell || Look + 1 == Looks)
        return Result;
    }
  }
};

unsigned countClaims(double Difference, double Drift, unsigned Runs,
                     Answer Claim) {
  unsigned Claims = 0;
  for (unsigned Seed = 0; Seed != Runs; ++Seed) {
    Bench B{std::mt19937_64(Seed), Difference, 0.03, Drift};
    Claims += B.run(6).Verdict == Claim;
  }
  return Claims;
}

} // namespace

TEST(Compare, LooksGrowByHalf) {
  EXPECT_EQ(roundsAtLook(0), 8u);
  EXPECT_EQ(roundsAtLook(1), 12u);
  EXPECT_EQ(roundsAtLook(2), 18u);
  double Spent = 0;
  for (unsigned Look = 0; Look != 10000; ++Look)
    Spent += errorAtLook(Look);
  EXPECT_LT(Spent, 0.05);
  EXPECT_GT(Spent, 0.0499);
}

TEST(Compare, SignedRanksAreExact) {
  // All of one sign: 2 of 2^n sign patterns are as extreme.
  EXPECT_DOUBLE_EQ(signedRankP(std::vector<double>{1, 2, 3, 4, 5}), 2.0 / 32);
  EXPECT_DOUBLE_EQ(signedRankP(std::vector<double>{-1, -2, -3}), 2.0 / 8);
  // Only the smallest is against: sums 0 and 1 of 1+2+3+4.
  EXPECT_DOUBLE_EQ(signedRankP(std::vector<double>{-1, 2, 3, 4}), 4.0 / 16);
  EXPECT_DOUBLE_EQ(signedRankP(std::vector<double>{0, 0}), 1);
  EXPECT_DOUBLE_EQ(signedRankP({}), 1);
}

/// The dynamic programme against all sign patterns, with ties.
TEST(Compare, SignedRanksAgreeWithEnumeration) {
  std::mt19937_64 Random(7);
  for (unsigned Case = 0; Case != 200; ++Case) {
    std::vector<double> D(1 + Random() % 9);
    for (double &X : D)
      X = double(int(Random() % 9)) - 4;
    std::vector<double> Sizes;
    for (double X : D)
      if (X != 0)
        Sizes.push_back(std::abs(X));
    if (Sizes.empty())
      continue;
    auto rank = [&](double Size) {
      double Below = 0, Equal = 0;
      for (double Other : Sizes) {
        Below += Other < Size;
        Equal += Other == Size;
      }
      return Below + (Equal + 1) / 2;
    };
    double Total = 0, Observed = 0;
    for (double X : D)
      if (X != 0) {
        Total += rank(std::abs(X));
        Observed += X > 0 ? rank(X) : 0;
      }
    unsigned AsExtreme = 0, Patterns = 1u << Sizes.size();
    for (unsigned Mask = 0; Mask != Patterns; ++Mask) {
      double Sum = 0;
      for (unsigned I = 0; I != Sizes.size(); ++I)
        if (Mask >> I & 1)
          Sum += rank(Sizes[I]);
      AsExtreme += std::abs(Sum - Total / 2) >= std::abs(Observed - Total / 2);
    }
    EXPECT_NEAR(signedRankP(D), double(AsExtreme) / Patterns, 1e-12);
  }
}

/// The promise that makes stopping at will honest.
TEST(Compare, ClaimsNoDifferenceWhereThereIsNone) {
  unsigned Runs = 400;
  unsigned Wrong = countClaims(1, 1, Runs, Answer::Faster) +
                   countClaims(1, 1, Runs, Answer::Slower);
  EXPECT_LE(Wrong, Runs / 20);
  // It does reach a verdict.
  EXPECT_GE(countClaims(1, 1, Runs, Answer::NoDifference), Runs * 6 / 10);
}

TEST(Compare, FindsFivePercent) {
  // Times: more is slower.
  EXPECT_GE(countClaims(1.05, 1, 200, Answer::Slower), 190u);
  EXPECT_GE(countClaims(1 / 1.05, 1, 200, Answer::Faster), 190u);
}

TEST(Compare, TakesDriftOut) {
  // 2 % slower with each measurement, which is a pair's whole difference.
  unsigned Wrong = countClaims(1, 1.02, 200, Answer::Faster) +
                   countClaims(1, 1.02, 200, Answer::Slower);
  EXPECT_LE(Wrong, 10u);
  Bench B{std::mt19937_64(3), 1.1, 0.01, 1.02};
  Comparison Result = B.run(4);
  EXPECT_EQ(Result.Verdict, Answer::Slower);
  EXPECT_NEAR(Result.BToA.Median, 1.1, 0.02);
  EXPECT_NEAR(Result.OrderEffect, 1.02, 0.015);
}

TEST(Compare, DirectionTellsWhatIsBetter) {
  CompareConfig Throughput{Better::Higher, 0.02};
  Bench B{std::mt19937_64(5), 1.3, 0.02, 1};
  EXPECT_EQ(B.run(4, Throughput).Verdict, Answer::Faster);
}

TEST(Compare, SaysHowManyRoundsItWouldNeed) {
  Bench B{std::mt19937_64(11), 1.03, 0.2, 1};
  Comparison Result = B.run(1);
  ASSERT_EQ(Result.Verdict, Answer::CannotTell);
  EXPECT_GT(Result.RoundsNeeded, 100u);
  EXPECT_LT(Result.RoundsNeeded, 10000u);
}

TEST(Compare, OutcomesAreASignTest) {
  // A is always bad, B never.
  Comparison Result = compareOutcomes(std::vector<Round>(8, {1, 0}), 0);
  EXPECT_EQ(Result.Verdict, Answer::Faster);
  EXPECT_DOUBLE_EQ(Result.P, 2.0 / 256);
  Result = compareOutcomes(std::vector<Round>(8, {1, 1}), 0);
  EXPECT_EQ(Result.Verdict, Answer::CannotTell);
  EXPECT_EQ(Result.P, 1);
  EXPECT_EQ(Result.RoundsNeeded, 12u);
}

TEST(Compare, EqualValuesAreNoDifference) {
  std::vector<Round> Same(12, {5, 5});
  Comparison Result = compare(Same, 1, {});
  EXPECT_EQ(Result.Verdict, Answer::NoDifference);
  EXPECT_EQ(Result.P, 1);
}

TEST(Compare, RatiosNeedPositiveValues) {
  EXPECT_TRUE(hasRatios(std::vector<Round>{{1, 2}}));
  EXPECT_FALSE(hasRatios(std::vector<Round>{{1, 2}, {0, 1}}));
  EXPECT_FALSE(hasRatios(std::vector<Round>{{-1, 2}}));
  EXPECT_FALSE(hasRatios(std::vector<Round>{{HUGE_VAL, 2}}));
}

TEST(Compare, SeesTwoLevels) {
  std::mt19937_64 Random(1);
  std::normal_distribution<> Noise(0, 0.03);
  std::vector<double> Starts;
  for (unsigned I = 0; I != 12; ++I)
    Starts.push_back((I % 3 ? 45000 : 17000) * std::exp(Noise(Random)));
  std::optional<Clusters> Found = findClusters(Starts);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->LowCount, 4u);
  EXPECT_EQ(Found->HighCount, 8u);
  EXPECT_NEAR(Found->LowLevel, 17000, 1000);
  EXPECT_NEAR(Found->HighLevel, 45000, 2000);
}

TEST(Compare, NoiseHasOneLevel) {
  std::mt19937_64 Random(2);
  std::normal_distribution<> Noise(100, 20);
  for (unsigned Size : {8, 12, 30, 100}) {
    unsigned Claims = 0;
    for (unsigned I = 0; I != 2000; ++I) {
      std::vector<double> Values(Size);
      for (double &X : Values)
        X = Noise(Random);
      Claims += findClusters(Values).has_value();
    }
    EXPECT_LE(Claims, 2u) << Size << " values";
  }
}

TEST(Compare, TwoOutliersAreNoLevel) {
  EXPECT_FALSE(findClusters(
      std::vector<double>{10, 10.1, 9.9, 10, 10.2, 9.8, 10, 30, 31}));
  EXPECT_FALSE(findClusters(std::vector<double>{1, 1, 1, 5, 5, 5}));
}
