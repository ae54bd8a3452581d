// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a baseline accepts, and what it must not.

#include "linesman/Report/Baseline.h"
#include "Located.h"
#include "linesman/Report/Report.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace linesman::report;
using linesman::layout::Rung;

namespace {

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
    *Told = *Is.Changes;
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

TEST(Baseline, ATenthIsNoChange) {
  auto changed = [](double Score) {
    Comparison Told;
    size_t Failing = failing({located("a", 100)}, {located("a", Score)}, &Told);
    return std::pair(Failing, size_t(Told.Better));
  };
  EXPECT_EQ(changed(109), std::pair(size_t(0), size_t(0)));
  EXPECT_EQ(changed(111), std::pair(size_t(1), size_t(0)));
  EXPECT_EQ(changed(92), std::pair(size_t(0), size_t(0)));
  EXPECT_EQ(changed(90), std::pair(size_t(0), size_t(1)));
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

/// A layout report of \p Binary.
Document layoutOf(StringRef Binary, std::vector<Finding> Findings,
                  StringRef Source) {
  for (Finding &F : Findings)
    for (FindingOccupant &Occupant : F.Occupants)
      Occupant.Defined.File = Source.str();
  Document Result = documentOf(std::move(Findings));
  Result.Binary = Binary.str();
  return Result;
}

/// Why \p Now can not be compared with \p Accepted, also where that is short.
std::string whyOther(const Document &Now, const Document &Accepted) {
  std::string Reason = toString(checkSameProgram(Now, Accepted)), Text;
  raw_string_ostream Stream(Text);
  writeBaseline(Accepted, Stream);
  Expected<Document> Read = parseReport(Text);
  EXPECT_TRUE(bool(Read));
  EXPECT_EQ(toString(checkSameProgram(Now, *Read)).empty(), Reason.empty());
  return Reason;
}

TEST(Baseline, OfAnotherProgramIsNone) {
  const Document Server = layoutOf(
      "out/server", {lineOf({"requests", "errors"}, 9)}, "s/server.cpp");
  EXPECT_EQ(whyOther(layoutOf("loop", {lineOf({"requests", "errors"}, 2)},
                              "loop.cpp"),
                     Server),
            "this is of another program, 'server': 0 of its 2 objects that are "
            "called the same here are defined in the same source file; if the "
            "program changed that much, accept it again with --write-baseline");
  // It was built under another name, or its file was renamed.
  EXPECT_EQ(whyOther(layoutOf("server.new", {lineOf({"requests"}, 2)},
                              "elsewhere/server.cpp"),
                     Server),
            "");
  EXPECT_EQ(whyOther(layoutOf("server", {lineOf({"requests"}, 2)}, "main.cpp"),
                     Server),
            "");
  // Nothing says where they are from, or which program it is.
  EXPECT_EQ(whyOther(layoutOf("loop", {lineOf({"requests"}, 2)}, ""), Server),
            "");
  EXPECT_EQ(
      whyOther(layoutOf("", {lineOf({"requests"}, 2)}, "loop.cpp"), Server),
      "");
  // Nothing is called the same: all of it is new, which a gate sees.
  EXPECT_EQ(
      whyOther(layoutOf("loop", {lineOf({"hits"}, 2)}, "loop.cpp"), Server),
      "");
}

/// A row of a scan.
Finding scanned(StringRef Id, double Score, std::vector<FindingFile> Files) {
  Finding Result = located(Id, Score);
  Result.Files = std::move(Files);
  return Result;
}

TEST(Baseline, ThatOfAScanIsOfEachProgram) {
  auto One = [] { return scanned("requests", 3, {{"", "bin/one"}}); };
  EXPECT_EQ(failing({One()}, {One()}), 0u);
  // Builds are in other folders.
  EXPECT_EQ(failing({One()}, {scanned("requests", 3, {{"", "out/one"}})}), 0u);
  EXPECT_EQ(failing({One()}, {scanned("requests", 3, {{"", "bin/two"}})}), 1u)
      << "another program's of the same name";
  EXPECT_EQ(failing({One()}, {scanned("requests", 3,
                                      {{"", "bin/two"}, {"", "bin/one"}})}),
            1u)
      << "one more program has it";
  EXPECT_EQ(failing({scanned("requests", 3, {{"", "a"}, {"", "b"}})},
                    {scanned("requests", 3, {{"", "b"}, {"", "a"}})}),
            0u);
  EXPECT_EQ(failing({One()}, {scanned("requests", 4, {{"", "bin/one"}})}), 1u);
  EXPECT_EQ(
      failing({scanned("requests", 3, {{"squid", "usr/sbin/one"}})}, {One()}),
      1u)
      << "a package's";
}

} // namespace
