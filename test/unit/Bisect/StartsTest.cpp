// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts of a program whose pages are born anywhere.

#include "linesman/Bisect/Starts.h"
#include "gtest/gtest.h"
#include <random>

using namespace linesman::bisect;

namespace {

/// \p Culprit slows by 60 when it is on node 1; -1: nobody does.
std::vector<Start> simulate(unsigned Starts, size_t Pages, int Culprit,
                            unsigned Seed, double Spread = 2) {
  std::mt19937_64 Random(Seed);
  std::vector<Start> Result;
  for (unsigned I = 0; I != Starts; ++I) {
    Start S;
    for (size_t P = 0; P != Pages; ++P)
      S.Nodes.push_back(int(Random() % 2));
    S.Value = 100 + Spread * std::normal_distribution<>()(Random);
    if (Culprit >= 0 && S.Nodes[Culprit])
      S.Value -= 60;
    Result.push_back(S);
  }
  return Result;
}

} // namespace

TEST(Starts, NameThePageThatGoesWithTheMetric) {
  unsigned Right = 0;
  for (unsigned Seed = 0; Seed != 50; ++Seed) {
    StartComparison C = compareStarts(simulate(20, 40, 7, Seed));
    Right += !C.Groups.empty() &&
             C.Groups.front().Members == std::vector<CandidateIndex>{7};
    EXPECT_EQ(C.Varied + C.Same, 40u);
  }
  EXPECT_GE(Right, 45u);
}

TEST(Starts, SeldomNameAnyWithoutACause) {
  // 40 pages are 40 chances; the error is for all together.
  unsigned Wrong = 0;
  for (unsigned Seed = 0; Seed != 100; ++Seed)
    Wrong += !compareStarts(simulate(12, 40, -1, Seed)).Groups.empty();
  EXPECT_LE(Wrong, 12u);
}

TEST(Starts, PagesThatMoveTogetherAreOneGroup) {
  std::vector<Start> Starts = simulate(16, 6, 2, 5);
  for (Start &S : Starts)
    S.Nodes[4] = S.Nodes[2];
  StartComparison C = compareStarts(Starts);
  ASSERT_FALSE(C.Groups.empty());
  EXPECT_EQ(C.Groups[0].Members, (std::vector<CandidateIndex>{2, 4}));
  EXPECT_EQ(C.Groups[0].Node, 1);
  EXPECT_NEAR(C.Groups[0].MedianOn, 40, 3);
  EXPECT_NEAR(C.Groups[0].MedianOff, 100, 3);
  EXPECT_EQ(C.Groups[0].StartsOn + C.Groups[0].StartsOff, 16u);
  ASSERT_TRUE(C.Levels);
  EXPECT_NEAR(C.Levels->LowLevel, 40, 3);
}

TEST(Starts, WhatNeverVariesExplainsNothing) {
  std::vector<Start> Starts = simulate(12, 3, 1, 9);
  for (Start &S : Starts)
    S.Nodes = {0, 0, -1};
  StartComparison C = compareStarts(Starts);
  EXPECT_TRUE(C.Groups.empty());
  EXPECT_EQ(C.Same, 3u);
  EXPECT_EQ(C.Varied, 0u);
}

TEST(Starts, ThreeNodes) {
  std::mt19937_64 Random(2);
  std::vector<Start> Starts;
  for (int I = 0; I != 18; ++I)
    Starts.push_back({I % 3 == 2 ? 10.0 + I / 100.0 : 20.0 + I / 100.0,
                      {I % 3, int(Random() % 3)}});
  StartComparison C = compareStarts(Starts);
  ASSERT_FALSE(C.Groups.empty());
  EXPECT_EQ(C.Groups[0].Members, std::vector<CandidateIndex>{0});
  EXPECT_EQ(C.Groups[0].Node, 2);
}

TEST(Starts, Deterministic) {
  std::vector<Start> Starts = simulate(16, 20, 3, 4);
  StartComparison A = compareStarts(Starts), B = compareStarts(Starts);
  ASSERT_EQ(A.Groups.size(), B.Groups.size());
  for (size_t I = 0; I != A.Groups.size(); ++I)
    EXPECT_EQ(A.Groups[I].P, B.Groups[I].P);
}
