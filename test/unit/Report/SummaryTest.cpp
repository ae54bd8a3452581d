// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured, in words: nothing that was not.

#include "linesman/Report/Document.h"
#include "gtest/gtest.h"

using namespace linesman::report;
using namespace llvm;

namespace {

TEST(CostText, SaysWhatWasMeasured) {
  FindingCost Cost;
  Cost.Metric = "ops";
  Cost.Before = 16;
  Cost.After = 45;
  EXPECT_EQ(costText(Cost), "ops 16 before, 45 after");
  Cost.Ratio = {2.8, 2.7, 2.9};
  EXPECT_EQ(costText(Cost), "apart it has 2.8 times the metric ops (2.7 to "
                            "2.9)");
  // Of a page on the other node.
  Cost.Explains = 0.97;
  EXPECT_EQ(costText(Cost), "it explains 97 % of the slow-down of ops");
}

FindingOccupant occupant(std::string Name, double Writes, double Reads) {
  FindingOccupant Result;
  Result.Name = std::move(Name);
  Result.Writes = Writes;
  Result.Reads = Reads;
  return Result;
}

TEST(Summary, NamesThoseThatLoseTheLineMostInBrief) {
  Finding Found;
  Found.Id = "created";
  Found.Occupants = {
      occupant("limit", 0, 1), occupant("created", 9, 2),
      occupant("unused", 0, 0),
      occupant("add(std::vector<int, std::allocator<int>>&, long, long)::Count",
               4, 4)};
  EXPECT_TRUE(StringRef(summarize(Found))
                  .starts_with("`created` is written 9, read 2 times an "
                               "operation, on the cache line of "
                               "`add(std::vector<...>&, long, "
                               "long)::Count`, `limit` ("))
      << summarize(Found);
}

} // namespace
