// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/WatchSession.h"
#include "gtest/gtest.h"

using namespace linesman::drive;
using namespace linesman::watch;

TEST(WatchSession, TakesASecondMoreForEachFurtherTarget) {
  SessionOptions One = sessionOptions({}, 1, {});
  EXPECT_EQ(One.Duration, 2);
  EXPECT_EQ(One.MostDuration, 16) << "until there is a verdict";
  SessionOptions Four = sessionOptions({}, 4, {});
  EXPECT_EQ(Four.Duration, 5);
  EXPECT_EQ(Four.MostDuration, 40);
}

TEST(WatchSession, WhatWasAskedForIsKeptExactly) {
  SessionPlan Plan;
  Plan.Seconds = 0.5;
  Plan.IsUntilExit = true;
  Plan.BudgetFraction = 0.2;
  CanaryResult Canary;
  Canary.SecondsPerHit = 3e-6;
  SessionOptions Session = sessionOptions(Plan, 9, Canary);
  EXPECT_EQ(Session.Duration, 0.5);
  EXPECT_EQ(Session.MostDuration, 0.5);
  EXPECT_EQ(Session.BudgetFraction, 0.2);
  EXPECT_EQ(Session.SecondsPerHit, 3e-6);
}

TEST(WatchSession, OfOurOwnProgramLastsUntilItExits) {
  SessionPlan Plan;
  Plan.IsUntilExit = true;
  EXPECT_GT(sessionOptions(Plan, 1, {}).Duration, 24 * 3600);
}
