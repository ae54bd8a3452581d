// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/WriteCeiling.h"
#include "gtest/gtest.h"

using namespace linesman;
using namespace linesman::drive;

namespace {

report::Finding finding(const char *Id, double Writes, double Atomics,
                        bool HasWeights = true) {
  report::Finding Result;
  Result.Id = Id;
  report::FindingOccupant &Occupant = Result.Occupants.emplace_back();
  Occupant.HasWeights = HasWeights;
  Occupant.Reads = 100;
  Occupant.Writes = Writes;
  Occupant.Atomics = Atomics;
  return Result;
}

TEST(WriteCeiling, WritesOfAllOccupantsAddUp) {
  report::Document Report;
  Report.Findings = {finding("three", 2, 1)};
  Report.Findings.front().Occupants.push_back(
      finding("", 2, 0).Occupants.front());
  // 5 writes of 40 ns.
  std::vector<WriteCeiling> Found = findCeilings(Report, {5, 40, 0.25}, 10);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found.front().Id, "three");
  EXPECT_DOUBLE_EQ(Found.front().Writes, 5);
  EXPECT_DOUBLE_EQ(Found.front().Operations, 5e6);
}

TEST(WriteCeiling, OnlyKnownWritesAndTheFirst) {
  report::Document Report;
  Report.Findings = {finding("read", 0, 0), finding("suspected", 3, 0, false),
                     finding("a", 1, 0), finding("b", 1, 0)};
  std::vector<WriteCeiling> Found = findCeilings(Report, {5, 40, 0.25}, 1);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found.front().Id, "a");
  EXPECT_TRUE(findCeilings(Report, {5, 0, 0.25}, 1).empty());
}

} // namespace
