// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a baseline accepts, and what it must not.

#include "linesman/Report/Baseline.h"
#include "linesman/Report/Report.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace linesman::report;
using linesman::layout::Rung;

namespace {

Finding located(StringRef Id, double Score) {
  Finding Result;
  Result.Id = Id.str();
  Result.Reached = Rung::Located;
  Result.Score = Score;
  return Result;
}

/// A variable that a check names in these files.
Finding suspected(StringRef Id, std::vector<std::string> Files) {
  Finding Result;
  Result.Id = Id.str();
  for (const std::string &File : Files) {
    FindingEvidence Said;
    Said.Check = "linesman-write-only-global";
    Said.Id = Id.str();
    Said.Place.File = File;
    Result.Evidence.push_back(std::move(Said));
  }
  return Result;
}

Document documentOf(std::vector<Finding> Findings) {
  Document Result;
  for (Finding &F : Findings) {
    Result.TotalScore += F.score();
    Result.Findings.push_back(std::move(F));
  }
  return Result;
}

/// What fails of \p Now where \p Before was written as a baseline and read.
size_t failing(std::vector<Finding> Before, std::vector<Finding> Now,
               Comparison *Told = nullptr) {
  std::string Text;
  raw_string_ostream Stream(Text);
  writeBaseline(documentOf(std::move(Before)), Stream);
  Expected<Document> Accepted = parseReport(Text);
  EXPECT_TRUE(bool(Accepted));
  Document Is = documentOf(std::move(Now));
  compare(Is, *Accepted);
  if (Told)
    *Told = *Is.Against;
  return findFailing(Is, Rung::Suspected).size();
}

TEST(Baseline, TheSameIsAccepted) {
  Comparison Told;
  EXPECT_EQ(failing({located("Stats+0x30", 28), located("Stats", 21)},
                    {located("Stats+0x30", 28), located("Stats", 21)}, &Told),
            0u);
  EXPECT_EQ(Told.Better, 0u);
  EXPECT_DOUBLE_EQ(Told.OldTotal, Told.Total);
}

TEST(Baseline, LinesOfOneObjectCountTogether) {
  // It begins elsewhere now.
  EXPECT_EQ(failing({located("Stats", 50)},
                    {located("Stats+0x30", 29), located("Stats", 21)}),
            0u);
  // One of them is worse, though not than the worst of before.
  EXPECT_EQ(failing({located("Stats+0x30", 28), located("Stats", 2)},
                    {located("Stats+0x30", 28), located("Stats", 27)}),
            2u);
  EXPECT_EQ(failing({located("Stats", 28)},
                    {located("Stats", 28), located("Stats+0x40", 28)}),
            2u);
}

/// A line, called after its first object.
Finding lineOf(std::vector<std::string> Names, double Score) {
  Finding Result = located(Names.front(), Score);
  for (const std::string &Name : Names) {
    FindingOccupant &Occupant = Result.Occupants.emplace_back();
    Occupant.Name = Name;
    Occupant.Writes = 1;
  }
  return Result;
}

TEST(Baseline, OneLineUnderTwoHeads) {
  Comparison Told;
  // A neighbour left; and one came.
  EXPECT_EQ(
      failing({lineOf({"b", "a", "c"}, 192)}, {lineOf({"a", "b"}, 96)}, &Told),
      0u);
  EXPECT_EQ(Told.Better, 1u);
  EXPECT_EQ(Told.New + Told.Gone, 0u);
  EXPECT_EQ(
      failing({lineOf({"a", "b"}, 96)}, {lineOf({"b", "a", "c"}, 192)}, &Told),
      1u);
  EXPECT_EQ(Told.Worse, 1u);
  EXPECT_EQ(Told.New + Told.Gone, 0u);
  // The head left: who else was there is in the baseline.
  EXPECT_EQ(failing({lineOf({"b", "a", "c"}, 192)}, {lineOf({"a", "c"}, 96)}),
            0u);
  // One line can not accept two.
  EXPECT_EQ(failing({lineOf({"b", "a", "c", "d"}, 192)},
                    {lineOf({"a", "b"}, 96), lineOf({"c", "d"}, 96)}),
            1u);
  // What is on the line of another finding is no more than there.
  EXPECT_EQ(failing({lineOf({"a", "b"}, 96)},
                    {lineOf({"a", "c"}, 96), lineOf({"b", "d"}, 96)}),
            1u);
}

TEST(Baseline, NewOnesFail) {
  EXPECT_EQ(failing({located("a", 1)}, {located("a", 1), located("b", 1)}), 1u);
  EXPECT_EQ(failing({}, {suspected("a", {"x.cpp"})}), 1u);
}

TEST(Baseline, AnotherVariableOfTheNameFails) {
  EXPECT_EQ(failing({suspected("last", {"x.cpp"})},
                    {suspected("last", {"x.cpp", "y.cpp"})}),
            1u);
  EXPECT_EQ(failing({suspected("last", {"x.cpp", "y.cpp"})},
                    {suspected("last", {"y.cpp", "x.cpp"})}),
            0u);
  // More places in one file are the same variable, and folders do not count.
  EXPECT_EQ(failing({suspected("last", {"x.cpp"})},
                    {suspected("last", {"src/x.cpp", "src/x.cpp"})}),
            0u);
  EXPECT_EQ(failing({suspected("last", {"x.cpp", "y.cpp"})},
                    {suspected("last", {"x.cpp"})}),
            0u);
}

} // namespace
