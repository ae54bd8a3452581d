// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What disturbed rounds may claim, and how long it would take to know more.

#include "linesman/Drive/Ab.h"
#include "gtest/gtest.h"

using namespace linesman::bisect;
using namespace linesman::drive;

namespace {

std::vector<Round> rounds(unsigned Count, double A, double B) {
  std::vector<Round> Rounds;
  for (unsigned I = 0; I != Count; ++I)
    Rounds.push_back(
        {A, B, I % 2 ? Round::Order::BFirst : Round::Order::AFirst});
  return Rounds;
}

AbResult lookAt(std::vector<Round> Undisturbed, std::vector<Round> Disturbed) {
  AbConfig Config;
  Config.Busy = AbConfig::Disturbed::LastResort;
  AbResult Result;
  Result.Rounds = std::move(Undisturbed);
  Result.Disturbed = std::move(Disturbed);
  lookAtAll(Config, Result, 1);
  return Result;
}

TEST(Ab, DisturbedRoundsAloneDecideNothing) {
  AbResult Result = lookAt({}, rounds(40, 100, 50));
  EXPECT_EQ(Result.Compared.Verdict, Answer::CannotTell);
  EXPECT_TRUE(Result.CountsDisturbed);
  EXPECT_EQ(Result.Compared.BToA.Median, 0.5);
  EXPECT_EQ(Result.secondsNeeded(), std::nullopt);
}

TEST(Ab, DisturbedRoundsCountBesideOthersThatAgree) {
  AbResult Result = lookAt(rounds(3, 100, 60), rounds(40, 100, 70));
  EXPECT_EQ(Result.Compared.Verdict, Answer::Faster);
  EXPECT_TRUE(Result.CountsDisturbed);
  EXPECT_EQ(Result.Rounds.size(), 43u);
}

TEST(Ab, DisturbedRoundsDoNotCountAgainstOthers) {
  AbResult Result = lookAt(rounds(3, 100, 110), rounds(40, 100, 70));
  EXPECT_EQ(Result.Compared.Verdict, Answer::CannotTell);
  EXPECT_FALSE(Result.CountsDisturbed);
}

TEST(Ab, DisturbedRoundsClaimNoSameness) {
  AbResult Result = lookAt(rounds(3, 100, 100), rounds(40, 100, 100));
  EXPECT_EQ(Result.Compared.Verdict, Answer::CannotTell);
}

TEST(Ab, ADifferenceBelowTheMarginIsNotClaimed) {
  AbResult Result = lookAt(rounds(3, 100, 98.5), rounds(630, 100, 98.5));
  EXPECT_EQ(Result.Compared.Verdict, Answer::CannotTell);
}

TEST(Ab, TimeIsOfRoundsAsTheyCame) {
  AbResult Result;
  Result.Rounds = rounds(4, 1, 1);
  Result.Seconds = 8;
  Result.Compared.RoundsNeeded = 5400;
  EXPECT_EQ(Result.secondsNeeded(), 10800);
}

} // namespace
