// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a finding says in a sentence or a few lines: nothing that is not known,
// and nothing twice.

#include "linesman/Report/Document.h"
#include "linesman/Report/Formats.h"
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

TEST(LinePicture, NamesAPlaceThatIsReachedInSeveralWaysOnce) {
  FindingSite Site;
  Site.Access = "write";
  Site.Function = "add";
  Site.Place = {"list.c", 7};
  FindingOccupant Count = occupant("count", 2, 0);
  Count.Address = 0x40;
  Count.Size = 8;
  Count.Sites = {Site, Site};
  Finding Found;
  Found.Id = "count";
  Found.Marks = "wwwwwwww";
  FindingLine Line;
  Line.Address = 0x40;
  Found.About = VariableSubject{Line, 0, "", "", {}};
  Found.Occupants = {Count};
  std::string Text;
  raw_string_ostream OS(Text);
  writeLinePicture(Found, OS);
  EXPECT_EQ(StringRef(Text).count("list.c:7 in add"), 1u) << Text;
}

} // namespace
