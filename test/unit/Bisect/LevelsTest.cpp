// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Levels alone, and whole comparisons of commands whose starts fall into some.

#include "linesman/Bisect/Compare.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace linesman::bisect;

namespace {

/// A command whose metric is High, or Low in a share of its starts.
struct UnsteadyCommand {
  double High = 45000, Low = 17000, LowShare = 0;
};

/// A whole comparison of made-up throughputs, with at most \p Looks looks.
Comparison compareStarting(uint64_t Seed, const UnsteadyCommand &A,
                           const UnsteadyCommand &B, unsigned Looks) {
  std::mt19937_64 Random(Seed);
  std::normal_distribution<> Noise(0, 0.003);
  std::uniform_real_distribution<> Share;
  auto start = [&](const UnsteadyCommand &P) {
    return (Share(Random) < P.LowShare ? P.Low : P.High) *
           std::exp(Noise(Random));
  };
  std::vector<Round> Rounds;
  for (unsigned Look = 0;; ++Look) {
    while (Rounds.size() < roundsAtLook(Look)) {
      auto First =
          Rounds.size() % 2 ? Round::Order::BFirst : Round::Order::AFirst;
      Rounds.push_back({start(A), start(B), First});
    }
    Comparison Is = compare(Rounds, Look, {Better::Higher, 0.02});
    if (Is.Verdict != Answer::CannotTell || Look + 1 == Looks)
      return Is;
  }
}

unsigned countVerdicts(const UnsteadyCommand &A, const UnsteadyCommand &B,
                       unsigned Looks, Answer Verdict, unsigned Runs = 300) {
  unsigned Count = 0;
  for (unsigned Seed = 0; Seed != Runs; ++Seed)
    Count += compareStarting(Seed, A, B, Looks).Verdict == Verdict;
  return Count;
}

std::vector<Round> roundsOf(const std::vector<double> &A,
                            const std::vector<double> &B) {
  std::vector<Round> Rounds;
  for (size_t I = 0; I != A.size(); ++I)
    Rounds.push_back(
        {A[I], B[I], I % 2 ? Round::Order::BFirst : Round::Order::AFirst});
  return Rounds;
}

} // namespace

TEST(Levels, ALevelIsExcludedByEnoughStarts) {
  EXPECT_EQ(startsToExclude(0), 11u);
  EXPECT_EQ(startsToExclude(1), 18u);
  EXPECT_EQ(startsToExclude(2), 25u);
  EXPECT_FALSE(isLevelExcluded(0, 8));
  EXPECT_FALSE(isLevelExcluded(3, 12));
  EXPECT_TRUE(isLevelExcluded(3, 40));
}

TEST(Levels, BothVariantsAreCutAtOnePlace) {
  std::optional<LevelSplit> Split = splitLevels(
      std::vector<double>{45, 45, 45, 17}, std::vector<double>{17, 17, 45, 45});
  ASSERT_TRUE(Split);
  EXPECT_EQ(Split->lowCountA(), 1u);
  EXPECT_EQ(Split->lowCountB(), 2u);
  EXPECT_EQ(Split->rareCount(), 3u);
  // The difference of the two is no level.
  EXPECT_FALSE(splitLevels(std::vector<double>{45, 45, 45, 45},
                           std::vector<double>{17, 17, 17, 17}));
}

TEST(Levels, NoiseIsNotSplit) {
  std::mt19937_64 Random(4);
  std::normal_distribution<> Noise(100, 20);
  unsigned Splits = 0;
  for (unsigned I = 0; I != 2000; ++I) {
    std::vector<double> A(8), B(8);
    for (std::vector<double> *Values : {&A, &B})
      for (double &X : *Values)
        X = Noise(Random);
    Splits += splitLevels(A, B).has_value();
  }
  EXPECT_LE(Splits, 2u);
}

/// What the median does not see is told by the shares.
TEST(Levels, ARareBadLevelIsSlower) {
  for (double Share : {0.25, 0.4, 0.6}) {
    UnsteadyCommand B{45000, 17000, Share};
    EXPECT_GE(countVerdicts({}, B, 8, Answer::Slower), 285u) << Share;
    EXPECT_LE(countVerdicts({}, B, 8, Answer::NoDifference), 15u) << Share;
    EXPECT_EQ(countVerdicts({}, B, 8, Answer::Faster), 0u) << Share;
    // And the other way round.
    EXPECT_GE(countVerdicts(B, {}, 8, Answer::Faster), 285u) << Share;
  }
}

TEST(Levels, EqualSharesAreNoDifferenceThatIsClaimed) {
  UnsteadyCommand Twin{45000, 17000, 0.4};
  EXPECT_LE(countVerdicts(Twin, Twin, 6, Answer::Slower) +
                countVerdicts(Twin, Twin, 6, Answer::Faster),
            15u);
  EXPECT_LE(countVerdicts(Twin, Twin, 6, Answer::NoDifference), 3u);
}

TEST(Levels, OneLevelNeedsFewRounds) {
  unsigned Rounds = 0;
  for (unsigned Seed = 0; Seed != 100; ++Seed) {
    Comparison Is = compareStarting(Seed, {}, {}, 4);
    EXPECT_EQ(Is.Verdict, Answer::NoDifference);
    Rounds += Is.Rounds;
    Is = compareStarting(Seed, {}, {40000}, 4);
    EXPECT_EQ(Is.Verdict, Answer::Slower);
    EXPECT_EQ(Is.Rounds, 8u);
  }
  EXPECT_LE(Rounds, 1300u);
}

TEST(Levels, EightEqualRoundsCanHideALevel) {
  Comparison Is = compare(std::vector<Round>(8, {5, 5}), 0, {});
  EXPECT_EQ(Is.Verdict, Answer::CannotTell);
  EXPECT_EQ(Is.Reason, Doubt::UnseenLevel);
  EXPECT_EQ(Is.RoundsNeeded, 11u);
}

TEST(Levels, OneRoundInAnotherLevelNeedsMore) {
  std::vector<double> A(12, 45), B(12, 45);
  B[3] = 17;
  Comparison Is = compare(roundsOf(A, B), 1, {Better::Higher, 0.02});
  EXPECT_EQ(Is.Verdict, Answer::CannotTell);
  EXPECT_EQ(Is.Reason, Doubt::UnseenLevel);
  EXPECT_EQ(Is.RoundsNeeded, 18u);
  A.resize(18, 45);
  B.resize(18, 45);
  EXPECT_EQ(compare(roundsOf(A, B), 2, {Better::Higher, 0.02}).Verdict,
            Answer::NoDifference);
}

TEST(Levels, WhatSpeaksForItNeedsNoMore) {
  std::vector<double> A(8, 45), B(8, 17);
  B[2] = 10;
  EXPECT_EQ(compare(roundsOf(A, B), 0, {Better::Higher, 0.02}).Verdict,
            Answer::Slower);
}

TEST(Levels, LevelsThatSpeakAgainstTheRatioAreTold) {
  std::vector<double> A(60, 45), B(60, 50);
  for (size_t I = 0; I < B.size(); I += 3)
    B[I] = 17;
  Comparison Is = compare(roundsOf(A, B), 5, {Better::Higher, 0.02});
  EXPECT_GT(Is.BToA.Low, 1.02);
  EXPECT_NE(Is.Verdict, Answer::Faster);
  // The signed ranks see both.
  Is = compare(roundsOf(A, B), 0, {Better::Higher, 0.02});
  EXPECT_NE(Is.Verdict, Answer::Faster);
}

/// A ratio that is not chance, and does not matter.
TEST(Levels, ADifferenceBelowTheMarginIsNone) {
  std::vector<double> A(12, 1000), B(12, 1010);
  Comparison Is = compare(roundsOf(A, B), 1, {Better::Higher, 0.02});
  EXPECT_LT(Is.P, 0.001);
  EXPECT_EQ(Is.Verdict, Answer::NoDifference);
  // Whose interval is on both sides of the margin.
  for (size_t I = 0; I != B.size(); ++I)
    B[I] = I % 4 < 2 ? 1010 : 1030;
  EXPECT_EQ(compare(roundsOf(A, B), 1, {Better::Higher, 0.02}).Verdict,
            Answer::CannotTell);
}
