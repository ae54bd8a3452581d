// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/TidyFindings.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman;
using namespace linesman::drive;

namespace {

/// A variable that one role writes.
report::Finding writtenBy(StringRef Role, double Atomics = 0,
                          double Score = 10) {
  report::Finding Result;
  Result.Id = "hits";
  Result.Kind = "mixed";
  Result.Score = Score;
  report::FindingOccupant &Occupant = Result.Occupants.emplace_back();
  Occupant.Atomics = Atomics;
  report::FindingSite &Site = Occupant.Sites.emplace_back();
  Site.Access = "write";
  Site.Role = "concurrent";
  Site.Roles = {Role.str()};
  return Result;
}

size_t shown(bool KnowsThreads, report::Finding Finding) {
  std::vector<report::Finding> Findings = {std::move(Finding)};
  dropFactsAlone(KnowsThreads, Findings);
  return Findings.size();
}

TEST(FactsAlone, AVariableNeedsAThreadOrALock) {
  EXPECT_EQ(shown(true, writtenBy("worker")), 1U);
  EXPECT_EQ(shown(true, writtenBy("unknown callers")), 0U);
  EXPECT_EQ(shown(true, writtenBy("callers outside")), 0U);
  EXPECT_EQ(shown(true, writtenBy("unknown callers", 5)), 1U);
}

TEST(FactsAlone, SeveralProgramsDoNotTellWhoRunsWhat) {
  EXPECT_EQ(shown(false, writtenBy("worker")), 0U);
  EXPECT_EQ(shown(false, writtenBy("worker", 5)), 1U);
}

TEST(FactsAlone, WhatIsRareIsLeftOut) {
  EXPECT_EQ(shown(true, writtenBy("worker", 5, 0.001)), 0U);
}

TEST(FactsAlone, OnlyTheFirstAreShown) {
  std::vector<report::Finding> Findings(8, writtenBy("worker"));
  LeftOut Silent = dropFactsAlone(true, Findings);
  EXPECT_EQ(Findings.size(), 5U);
  EXPECT_EQ(Silent.Variables, 0U);
}

TEST(FactsAlone, WhatAChecksSaysStays) {
  std::vector<report::Finding> Findings(1);
  Findings[0].Suspicion.emplace().Check = "x";
  EXPECT_EQ(dropFactsAlone(true, Findings).Variables, 0U);
  EXPECT_EQ(Findings.size(), 1U);
}

TEST(FactsAlone, AFieldNeedsALockAndANeighbour) {
  auto Field = [](StringRef Kind) {
    report::Finding Result;
    Result.Kind = Kind;
    Result.Score = 9;
    Result.About = report::FieldSubject();
    Result.Occupants.emplace_back().Atomics = 3;
    return Result;
  };
  EXPECT_EQ(shown(true, Field("mixed")), 1U);
  EXPECT_EQ(shown(true, Field("true-sharing")), 0U);
}

TEST(Units, AssemblyIsToldByItsName) {
  EXPECT_TRUE(isAssembly({"/src/huf.S", "", "", {}}));
  EXPECT_FALSE(isAssembly({"/src/huf.c", "", "", {}}));
}

} // namespace
