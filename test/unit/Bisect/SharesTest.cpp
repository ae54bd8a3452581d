// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs from windows whose truth is known: noise, drift, strays.

#include "linesman/Bisect/Shares.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace linesman::bisect;

namespace {

struct Truth {
  std::vector<double> Costs;
  double Rest = 0, Spread = 0, Drift = 0, Strays = 0;
};

/// As a search asks: calibration, then for each culprit it alone against the
/// others, and the rest against none.
std::vector<KnownWindow> simulate(const Truth &T, unsigned Seed) {
  std::mt19937_64 Random(Seed);
  std::vector<KnownWindow> Windows;
  const size_t Count = T.Costs.size();
  auto Add = [&](std::vector<bool> Remote, bool Rest) {
    // Searches lie between.
    double Number = double(Windows.size()) * 1.5;
    double Cost = Rest ? T.Rest : 0, All = T.Rest;
    for (size_t I = 0; I != Count; ++I) {
      Cost += Remote[I] ? T.Costs[I] : 0;
      All += T.Costs[I];
    }
    if (std::uniform_real_distribution<>()(Random) < T.Strays)
      Cost = Cost > All / 2 ? 0 : All;
    Windows.push_back({Number, Remote, Rest,
                       1000 + Cost + T.Drift * Number +
                           T.Spread * std::normal_distribution<>()(Random)});
  };
  std::vector<bool> None(Count), Every(Count, true);
  for (int I = 0; I != 5; ++I) {
    Add(None, false);
    Add(Every, true);
  }
  std::vector<bool> Left = Every;
  for (size_t C = 0; C != Count; ++C) {
    std::vector<bool> Alone(Count);
    Alone[C] = true;
    Left[C] = false;
    for (int I = 0; I != 5; ++I) {
      Add(Alone, false);
      Add(Left, true);
      Add(None, false);
    }
  }
  return Windows;
}

} // namespace

TEST(Shares, ExactWithoutNoise) {
  std::optional<Shares> S =
      fitShares(simulate({{-300, -100}, -50, 0, 0.5, 0}, 1), 2, 1);
  ASSERT_TRUE(S);
  EXPECT_NEAR(S->Costs[0], -300, 1e-6);
  EXPECT_NEAR(S->Costs[1], -100, 1e-6);
  EXPECT_NEAR(S->Rest, -50, 1e-6);
  EXPECT_NEAR(S->Drift, 0.5, 1e-6);
  EXPECT_NEAR(S->whole(), -450, 1e-6);
  EXPECT_NEAR(S->Local, 1000, 1e-6);
}

TEST(Shares, TwoEqualCulpritsWithinTenPoints) {
  // Effect over spread 5, drift of a third of the effect, one window in ten
  // shows the other state: the shares stay within 10 points of one half.
  unsigned Within = 0;
  constexpr unsigned Seeds = 200;
  for (unsigned Seed = 0; Seed != Seeds; ++Seed) {
    std::optional<Shares> S =
        fitShares(simulate({{300, 300}, 0, 60, 3, 0.1}, Seed), 2, 60);
    ASSERT_TRUE(S);
    double Share = S->Costs[0] / S->whole();
    Within += std::abs(Share - 0.5) <= 0.1;
  }
  EXPECT_GE(Within, Seeds * 95 / 100);
}

TEST(Shares, DriftIsSeenOnlyWhereItIsCertain) {
  unsigned Seen = 0, Claimed = 0;
  for (unsigned Seed = 0; Seed != 100; ++Seed) {
    Seen += fitShares(simulate({{300}, 0, 20, 3, 0}, Seed), 1, 20)->Drift != 0;
    Claimed +=
        fitShares(simulate({{300}, 0, 20, 0, 0}, Seed), 1, 20)->Drift != 0;
  }
  EXPECT_GE(Seen, 95u);
  EXPECT_LE(Claimed, 3u);
}

TEST(Shares, StraysAreCounted) {
  std::vector<KnownWindow> Windows = simulate({{300}, 0, 10, 0, 0}, 3);
  Windows[4].Value += 300;
  Windows[11].Value -= 300;
  std::optional<Shares> S = fitShares(Windows, 1, 10);
  ASSERT_TRUE(S);
  EXPECT_TRUE(S->IsStray[4]);
  EXPECT_TRUE(S->IsStray[11]);
  EXPECT_EQ(std::count(S->IsStray.begin(), S->IsStray.end(), true), 2);
  EXPECT_NEAR(S->Costs[0], 300, 15);
}

TEST(Shares, WhatIsNotDeterminedIsNotTold) {
  // Two culprits that were only ever remote together.
  std::vector<KnownWindow> Windows;
  for (int I = 0; I != 10; ++I)
    Windows.push_back({double(I), {I % 2 == 0, I % 2 == 0}, false, 1});
  EXPECT_FALSE(fitShares(Windows, 2, 1));
  EXPECT_FALSE(fitShares({}, 0, 1));
}
