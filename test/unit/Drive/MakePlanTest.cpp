// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which findings a plan is for.

#include "linesman/Drive/MakePlan.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::drive;
using linesman::layout::LineFinding;

namespace {

/// The ids that are left of "hits", "misses" and "limit"; or the error.
std::string selected(const PlanChoice &Choice) {
  std::vector<LineFinding> Findings(3);
  Findings[0].Id = "hits";
  Findings[1].Id = "misses";
  Findings[2].Id = "limit";
  Expected<std::vector<LineFinding>> Left =
      selectFindings(std::move(Findings), Choice, "app");
  if (!Left)
    return toString(Left.takeError());
  std::string Text;
  for (const LineFinding &F : *Left)
    Text += F.Id + " ";
  return Text;
}

TEST(SelectFindings, AllByDefault) {
  EXPECT_EQ(selected({}), "hits misses limit ");
}

TEST(SelectFindings, TheFirstOnes) {
  PlanChoice Choice;
  Choice.Top = 2;
  EXPECT_EQ(selected(Choice), "hits misses ");
  Choice.Top = 0;
  EXPECT_EQ(selected(Choice), "");
  Choice.Top = 9;
  EXPECT_EQ(selected(Choice), "hits misses limit ");
}

TEST(SelectFindings, ByIdInTheirOrder) {
  PlanChoice Choice;
  Choice.Select = {"limit", "hits"};
  EXPECT_EQ(selected(Choice), "hits limit ");
}

TEST(SelectFindings, AnIdThatNoneHasIsAnError) {
  PlanChoice Choice;
  Choice.Select = {"hits", "limt"};
  EXPECT_EQ(selected(Choice),
            "--select=limt: none of the 3 findings of app has this id; did you "
            "mean 'limit'?");
}

} // namespace
