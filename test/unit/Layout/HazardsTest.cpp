// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a finding says: its head, its identity, the lines that it stands for,
// and its rank.

#include "Literals.h"
#include "gtest/gtest.h"

using namespace linesman::layout;
namespace facts = linesman::facts;

namespace {

using Strings = std::vector<std::string>;

std::vector<std::string> ids(const Found &F) {
  std::vector<std::string> Result;
  for (const LineFinding &Finding : F.Findings)
    Result.push_back(Finding.Id);
  return Result;
}

TEST(Hazards, HeadIsTheObjectWhoseWritesForceMost) {
  Scene S({object("a", 0x40, 8), object("b", 0x48, 8), object("c", 0x50, 8)});
  S.fact(0x40, {writes(1)}).fact(0x48, {writes(9)}).fact(0x50, {reads(9)});
  Found F(S);
  EXPECT_EQ(ids(F), Strings({"b"}));
  EXPECT_EQ(F.Findings[0].Head, 1u);
  EXPECT_EQ(F.Findings[0].Reached, Rung::Located);
  EXPECT_EQ(F.Findings[0].Occupants.size(), 4u) << "with the padding";
}

TEST(Hazards, FirstOfEqualsIsTheHead) {
  Scene S({object("a", 0x40, 8), object("b", 0x48, 8)});
  S.fact(0x48, {writes(2)}).fact(0x40, {writes(2)});
  EXPECT_EQ(ids(Found(S)), Strings({"a"}));
}

TEST(Hazards, LaterLineOfAnObjectIsAnotherFinding) {
  Scene S({object("a", 0x60, 0x100)});
  S.fact(0x60, {writes(3, 0), writes(2, 0x20), writes(1, 0xa8)});
  EXPECT_EQ(ids(Found(S)), Strings({"a", "a+0x20", "a+0xa0"}));
}

TEST(Hazards, HighestScoreIsFirstAndAddressBreaksTies) {
  Scene S(
      {object("a", 0x40, 64), object("b", 0x80, 64), object("c", 0xc0, 64)});
  S.fact(0x40, {writes(1)}).fact(0x80, {writes(5)}).fact(0xc0, {writes(1)});
  EXPECT_EQ(ids(Found(S)), Strings({"b", "a", "c"}));
}

TEST(Hazards, LinesOfAnArrayThatDifferInNothingAreOneFinding) {
  Scene S({object("a", 0x60, 0x400), object("b", 0x460, 8)});
  S.fact(0x60, {atomics(64, Somewhere, 4)});
  Found F(S);
  ASSERT_EQ(F.Findings.size(), 1u);
  EXPECT_EQ(F.Findings[0].Id, "a+0x20") << "a whole line has the best score";
  EXPECT_EQ(F.Findings[0].Lines, 17u) << "with the parts of lines at its ends";
}

TEST(Hazards, StartUpCodeThatFillsAnArrayDoesNotTakeItApart) {
  Scene S({object("a", 0x40, 0x400)});
  S.fact(0x40, {writes(1, 0, 0x400)}, 0x1000, "main")
      .fact(0x40, {atomics(64, Somewhere, 4)}, 0x2000, "work");
  Found F(S);
  ASSERT_EQ(F.Findings.size(), 1u);
  EXPECT_EQ(F.Findings[0].Lines, 16u);
}

TEST(Hazards, LineOfAnArrayWithANeighbourIsItsOwnFinding) {
  Scene S({object("a", 0x40, 0x3f8), object("b", 0x438, 8)});
  S.fact(0x40, {atomics(64, Somewhere, 4)}).fact(0x438, {reads(64)});
  Found F(S);
  ASSERT_EQ(F.Findings.size(), 2u);
  EXPECT_EQ(F.Findings[0].Id, "a+0x3c0");
  EXPECT_EQ(F.Findings[0].Lines, 1u);
  EXPECT_EQ(F.Findings[1].Id, "a");
  EXPECT_EQ(F.Findings[1].Lines, 15u);
}

TEST(Hazards, LongAccessMakesOneFindingOfItsInnerLines) {
  Scene S({object("a", 0x40, 0x400)});
  S.fact(0x40, {writes(1, 0, 0x400)});
  Found F(S);
  uint64_t Lines = 0;
  for (const LineFinding &Finding : F.Findings)
    Lines += Finding.Lines;
  EXPECT_EQ(F.Findings.size(), 3u) << "its ends and what is between them";
  EXPECT_EQ(Lines, 16u);
}

TEST(Hazards, LinesOfARecordWithoutASymbolAreOneFinding) {
  auto Unnamed = [](const char *Name, uint64_t Address) {
    Symbol S = object(Name, Address, 8);
    S.Origin = SymbolOrigin::Anonymous;
    return S;
  };
  // Of one function, of another one, and far away.
  Scene S({Unnamed("a", 0x40), Unnamed("b", 0x80), Unnamed("c", 0xc0),
           Unnamed("d", 0x800)});
  S.fact(0x40, {writes(8)}, 0x1000, "f")
      .fact(0x80, {writes(4)}, 0x1000, "f")
      .fact(0xc0, {writes(2)}, 0x2000, "g")
      .fact(0x800, {writes(1)}, 0x1000, "f");
  Found F(S);
  ASSERT_EQ(F.Findings.size(), 3u);
  EXPECT_EQ(F.Findings[0].Id, "a");
  EXPECT_EQ(F.Findings[0].Lines, 2u);
  EXPECT_EQ(F.Findings[1].Id, "c");
  EXPECT_EQ(F.Findings[2].Id, "d");
}

TEST(Hazards, NamesakesHaveTheirFilesInTheId) {
  Symbol One = object("n", 0x40, 64), Two = object("n", 0x80, 64);
  One.Binding = Two.Binding = SymbolBinding::Local;
  One.File = 1;
  Two.File = 2;
  Scene S(ImageDescription{
      {data(".bss", 0, 0x1000)}, {One, Two}, {"", "one.c", "two.c"}});
  S.fact(0x40, {writes(1)}).fact(0x80, {writes(2)});
  EXPECT_EQ(ids(Found(S)), Strings({"two.c:n", "one.c:n"}));
}

/// As machine code tells of it.
facts::Access code(facts::Access A) {
  A.Instruction = 0x2000;
  return A;
}

/// One line, in a program of \p Functions more functions.
Scene amongFunctions(unsigned Functions, std::vector<facts::Access> OnLine) {
  Scene S({object("a", 0x40, 64), object("limit", 0x80, 8)});
  for (unsigned I = 0; I != Functions; ++I)
    S.fact(0x80, {code(reads(1))}, 0x200000 + 16 * I);
  return std::move(S.fact(0x40, std::move(OnLine)));
}

TEST(Hazards, WhatIsMostlyReadIsAGuess) {
  auto OnLine = [](double Reads, double Writes, double Atomics) {
    return std::vector{code(reads(Reads)), code(writes(Writes)),
                       code(atomics(Atomics, 8))};
  };
  const Strings None, One({"a"});
  EXPECT_EQ(ids(Found(amongFunctions(25, OnLine(40, 8, 4)))), None);
  EXPECT_EQ(ids(Found(amongFunctions(25, OnLine(17, 8, 4)))), One);
  EXPECT_EQ(ids(Found(amongFunctions(25, OnLine(40, 4, 8)))), One)
      << "mostly atomic operations";
  EXPECT_EQ(ids(Found(amongFunctions(5, OnLine(40, 8, 4)))), One) << "small";
  EXPECT_EQ(
      ids(Found(amongFunctions(25, {reads(40), writes(8), atomics(4, 8)}))),
      One)
      << "a compiler tells how often it is written";
}

/// With a table that says who made the program.
Strings idsOf(const Scene &S, void (*Mark)(AccessTable &)) {
  AccessTable Table = S.table();
  Mark(Table);
  Strings Ids;
  for (const LineFinding &F :
       findHazards(S.image(), LineMap(S.image(), {64}), Table))
    Ids.push_back(S.image().symbols()[F.Head].name().str());
  return Ids;
}

TEST(Hazards, OnlyTheProgramsStaticsAreFindingsInRust) {
  auto Found = [](const char *Name) {
    Scene S({object(Name, 0x40, 64)});
    S.fact(0x40, {code(atomics(4))});
    EXPECT_EQ(idsOf(S, [](AccessTable &) {}).size(), 1u) << "no Rust program";
    return !idsOf(S, [](AccessTable &Table) { Table.markRust(); }).empty();
  };
  EXPECT_TRUE(Found("_ZN7program4HITS17h0123456789abcdefE"));
  EXPECT_TRUE(Found("_ZN7program4HITS17h0123456789abcdefE.llvm.7"));
  EXPECT_TRUE(Found("_RNvCs1234_7program4HITS"));
  EXPECT_TRUE(Found("_ZN9std_lines4HITS17h0123456789abcdefE"));
  EXPECT_FALSE(Found("_ZN3std2io5stdio6STDOUT17h0123456789abcdefE"));
  EXPECT_FALSE(Found("_ZN3std2io5stdio6STDOUT17h0123456789abcdefE.llvm.7"));
  EXPECT_FALSE(Found("_RNvNtNtCsbCahC7CM8El_3std2io5stdio6STDOUT"));
  EXPECT_FALSE(Found("_ZN48_$LT$std..process..Command$u20$as$u20$a..Trait$GT$"
                     "5spawn4LOCK17h0123456789abcdefE"));
  EXPECT_FALSE(Found("tallied")) << "in C";
  EXPECT_FALSE(Found("_ZN3foo3barE")) << "in C++";
}

TEST(Hazards, StaticsOfGosLibraryComeBehindTheProgram) {
  auto First = [](const char *Name, bool IsGo) {
    Scene S({object(Name, 0x40, 64), object("main.hits", 0x80, 64)});
    S.fact(0x40, {code(atomics(4))}).fact(0x80, {code(atomics(2))});
    return idsOf(
               S, IsGo ? [](AccessTable &Table) { Table.markGo(); }
                       : [](AccessTable &) {})
        .front();
  };
  EXPECT_EQ(First("runtime.sched", true), "main.hits");
  EXPECT_EQ(First("net/http.served", true), "main.hits");
  EXPECT_EQ(First("runtime.sched", false), "runtime.sched");
  for (const char *Others :
       {"example.org/server.hits", "runtimes.hits", "runtime"})
    EXPECT_EQ(First(Others, true), Others);
}

TEST(Hazards, NoFactsNoFindings) {
  EXPECT_TRUE(Found(Scene({object("a", 0x40, 8)})).Findings.empty());
}

} // namespace
