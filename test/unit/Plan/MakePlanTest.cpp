// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of whole findings: the choice within a budget against all subsets, and
// what is left with its reason.

#include "../Layout/Literals.h"
#include "linesman/Plan/Plan.h"
#include "gtest/gtest.h"
#include <random>

using namespace linesman::layout;
using namespace linesman::plan;

namespace {

/// Lines of their own, one conflict each: a written object and a read one.
/// Names live as long as the program.
Scene sceneOfLines(std::mt19937 &Random, unsigned Lines) {
  static const char *const Names[] = {"w0", "r0", "w1", "r1", "w2", "r2",
                                      "w3", "r3", "w4", "r4", "w5", "r5"};
  std::vector<Symbol> Symbols;
  for (unsigned I = 0; I != Lines; ++I) {
    uint64_t Size = 8 * (1 + Random() % 3);
    Symbols.push_back(object(Names[2 * I], 64 * (I + 1), Size));
    Symbols.push_back(object(Names[2 * I + 1], 64 * (I + 1) + 32, 8));
  }
  Scene Result(Symbols);
  for (unsigned I = 0; I != Lines; ++I) {
    Result.fact(64 * (I + 1), {writes(double(1 + Random() % 9))}, 0x100000,
                "f");
    Result.fact(64 * (I + 1) + 32, {reads(double(1 + Random() % 9))}, 0x200000,
                "g");
  }
  return Result;
}

Plan planFor(const Scene &Source, const std::vector<LineFinding> &Findings,
             std::optional<uint64_t> Budget = {}) {
  return makePlan(Source.image(), {Findings, {64}, {4096}, Budget});
}

TEST(MakePlan, FixesAsManyFindingsAsAnySubsetWithinTheBudget) {
  std::mt19937 Random(3);
  for (int Round = 0; Round != 100; ++Round) {
    Scene Source = sceneOfLines(Random, 5);
    Found All(Source);
    std::vector<uint64_t> Costs;
    for (const LineFinding &F : All.Findings) {
      Plan One = planFor(Source, {F});
      uint64_t Bytes = 0;
      for (const PlannedEdit &Edit : One.Edits)
        Bytes += Edit.Cost.Bytes;
      if (!One.Edits.empty())
        Costs.push_back(Bytes);
    }
    uint64_t Budget = Random() % 500;
    // Also one that a choice uses up.
    if (Round % 2) {
      Budget = 0;
      for (uint64_t Bytes : Costs)
        Budget += Random() % 2 ? Bytes : 0;
    }
    size_t Most = 0;
    for (unsigned Subset = 0; Subset != 1u << Costs.size(); ++Subset) {
      uint64_t Bytes = 0;
      size_t Count = 0;
      for (size_t I = 0; I != Costs.size(); ++I)
        if (Subset & 1u << I)
          Bytes += Costs[I], ++Count;
      if (Bytes <= Budget)
        Most = std::max(Most, Count);
    }
    Plan Chosen = planFor(Source, All.Findings, Budget);
    uint64_t Bytes = 0;
    for (const PlannedEdit &Edit : Chosen.Edits)
      Bytes += Edit.Cost.Bytes;
    EXPECT_LE(Bytes, Budget) << Round;
    EXPECT_EQ(Chosen.Edits.size(), Most) << Round;
  }
}

TEST(MakePlan, CountsThePagesThatTheSectionGrowsBy) {
  auto costWith = [](uint64_t End) {
    Scene Source(ImageDescription{{data(".bss", 0, End)},
                                  {object("w", 64, 8), object("r", 96, 8)}});
    Source.fact(64, {writes(5)}, 0x100000, "f");
    Source.fact(96, {reads(5)}, 0x200000, "g");
    Found All(Source);
    Plan Chosen = planFor(Source, All.Findings);
    EXPECT_EQ(Chosen.Edits.size(), 1u);
    return Chosen.Edits.front().Cost;
  };
  const uint64_t Bytes = costWith(0x800).Bytes;
  ASSERT_GT(Bytes, 0u);
  EXPECT_EQ(costWith(0x800).Pages, 0u);
  // Up to the last byte of the page, and one more.
  EXPECT_EQ(costWith(0x1000 - Bytes).Pages, 0u);
  EXPECT_EQ(costWith(0x1001 - Bytes).Pages, 1u);
}

TEST(MakePlan, RemovesWhatTheFindingsForceBetweenObjects) {
  std::mt19937 Random(4);
  Scene Source = sceneOfLines(Random, 3);
  Found All(Source);
  double Between = 0, Removed = 0;
  for (const LineFinding &F : All.Findings)
    Between += F.Points.Between;
  Plan Chosen = planFor(Source, All.Findings);
  for (const PlannedEdit &Edit : Chosen.Edits)
    Removed += Edit.Removes;
  EXPECT_DOUBLE_EQ(Removed, Between);
  EXPECT_TRUE(Chosen.Left.empty());
}

TEST(MakePlan, ForeseesWhatIsLeft) {
  std::mt19937 Random(5);
  for (int Round = 0; Round != 20; ++Round) {
    Scene Source = sceneOfLines(Random, 5);
    Found All(Source);
    Plan Chosen = planFor(Source, All.Findings, Random() % 500);
    double Before = 0, Removed = 0;
    for (const LineFinding &F : All.Findings)
      Before += F.Points.Between;
    for (const PlannedEdit &Edit : Chosen.Edits)
      Removed += Edit.Removes;
    EXPECT_DOUBLE_EQ(Chosen.Before, Before) << Round;
    EXPECT_DOUBLE_EQ(Chosen.After, Before - Removed) << Round;
  }
}

TEST(MakePlan, KeepsTogetherWhatOneRoleWrites) {
  // g reads what f writes beside it; f writes both of its objects.
  Scene Source(
      {object("a", 64, 8), object("b", 72, 8), object("read", 80, 40)});
  Found None(Source);
  LineFinding Finding;
  Finding.Id = "a";
  Finding.Points.Between = 30;
  Finding.Pairs = {{0, 1, 10, ObjectPair::Writers::Together},
                   {0, 2, 10, ObjectPair::Writers::Apart},
                   {1, 2, 10, ObjectPair::Writers::Apart}};
  Plan Chosen = planFor(Source, {Finding});
  // The two leave together, or the reader does; nothing parts the two.
  ASSERT_EQ(Chosen.Edits.size(), 1u);
  for (const SymbolRef &Symbol : Chosen.Edits[0].Change.Symbols)
    EXPECT_EQ(Symbol.Symbol == "read",
              Chosen.Edits[0].Change.Symbols.size() == 1);
  EXPECT_DOUBLE_EQ(Chosen.After, 10);
}

TEST(MakePlan, PartsWhatIsReadFromWhatTheSameRoleWrites) {
  // Every operation writes a and reads b, and few write b.
  Scene Source({object("a", 64, 8), object("b", 72, 8)});
  Source.fact(64, {atomics(10)}).fact(72, {reads(10), writes(0.1)});
  Found All(Source);
  Plan Chosen = planFor(Source, All.Findings);
  ASSERT_EQ(Chosen.Edits.size(), 1u);
  EXPECT_EQ(Chosen.After, 0);
  // Two counters of one role are written together.
  Scene Counters({object("a", 64, 8), object("b", 72, 8)});
  Counters.fact(64, {reads(10), writes(10)}).fact(72, {reads(10), writes(10)});
  Found Pair(Counters);
  EXPECT_TRUE(planFor(Counters, Pair.Findings).Edits.empty());
}

TEST(MakePlan, LeavesTrueSharing) {
  Scene Source({object("counter", 64, 8)});
  Source.fact(64, {atomics(5)});
  Found All(Source);
  Plan Chosen = planFor(Source, All.Findings);
  EXPECT_TRUE(Chosen.Edits.empty());
  ASSERT_EQ(Chosen.Left.size(), 1u);
  EXPECT_EQ(Chosen.Left[0].Id, "counter");
  // Once.
  EXPECT_EQ(Chosen.Left[0].Reason.find("no layout helps: every writer"), 0u);
  EXPECT_EQ(Chosen.Left[0].Reason.find("padding"), std::string::npos);
}

TEST(MakePlan, LeavesWhatTheSourceTakesApart) {
  Scene Source({object("array", 64, 64)});
  Source.fact(64, {writes(8, Somewhere, 8)});
  Found All(Source);
  Plan Chosen = planFor(Source, All.Findings);
  ASSERT_EQ(Chosen.Left.size(), 1u);
  EXPECT_EQ(Chosen.Left[0].Reason.find("only the source can change this: "),
            0u);
  EXPECT_NE(Chosen.Left[0].Reason.find("alignas"), std::string::npos);
  EXPECT_EQ(Chosen.Left[0].Reason.find("no layout"), std::string::npos);
}

TEST(MakePlan, LeavesWhatNoRelinkCanMove) {
  // In a section that a program may walk; without a symbol.
  for (const char *Name : {"entries", ".bss"}) {
    Symbol First = object("a", 64, 8), Second = object("b", 72, 8);
    if (Name[0] == '.')
      First.Origin = Second.Origin = SymbolOrigin::Anonymous;
    Scene Source(ImageDescription{{data(Name, 0, 0x1000)}, {First, Second}});
    Source.fact(64, {writes(5)}).fact(72, {reads(5)}, 0x200000, "g");
    Found All(Source);
    ASSERT_EQ(All.Findings.size(), 1u);
    Plan Chosen = planFor(Source, All.Findings);
    EXPECT_TRUE(Chosen.Edits.empty());
    ASSERT_EQ(Chosen.Left.size(), 1u);
    EXPECT_NE(Chosen.Left[0].Reason.find("stay where they are"),
              std::string::npos);
    llvm::Expected<PlannedEdit> None =
        explodePage(Source.image(), PageMap(Source.image(), {4096}), {0});
    EXPECT_FALSE(bool(None));
    consumeError(None.takeError());
  }
}

TEST(MakePlan, NamesAnObjectOnceThatTwoFindingsMove) {
  // The array ends one line and begins another: both have a reader.
  Scene Source({object("before", 48, 8), object("array", 56, 72),
                object("after", 128, 8)});
  Source.fact(48, {reads(9)}, 0x200000, "g");
  Source.fact(128, {reads(9)}, 0x200000, "g");
  Source.fact(56, {writes(5, 0, 8), writes(5, 64, 8)});
  Found All(Source);
  Plan Chosen = planFor(Source, All.Findings);
  std::vector<std::string> Moved;
  for (const PlannedEdit &Edit : Chosen.Edits)
    for (const SymbolRef &Symbol : Edit.Change.Symbols)
      Moved.push_back(Symbol.Symbol);
  std::vector<std::string> Once = Moved;
  std::sort(Once.begin(), Once.end());
  Once.erase(std::unique(Once.begin(), Once.end()), Once.end());
  EXPECT_EQ(Moved.size(), Once.size());
}

TEST(MakePlan, JoinsPlans) {
  auto Edit = [](EditKind Kind, std::vector<SymbolRef> Symbols) {
    return PlannedEdit{{Kind, std::move(Symbols), 64, ""}, {}, 0, {}};
  };
  Plan Old{"", {64}, {4096}, {Edit(EditKind::Isolate, {{"a", "", 0}})}, {}};
  Plan New = Old;
  New.Edits.push_back(Edit(EditKind::Group, {{"a", "", 0}, {"b", "", 0}}));
  Plan Merged = joinPlans(Old, New);
  ASSERT_EQ(Merged.Edits.size(), 2u);
  EXPECT_EQ(Merged.Edits[1].Change.Kind, EditKind::Isolate);
  EXPECT_EQ(Merged.Edits[1].Change.Symbols[0].Symbol, "b");
}

TEST(MakePlan, ExplodesAPage) {
  Scene Source({object("a", 0, 8), object("b", 8, 8)});
  llvm::Expected<PlannedEdit> Edit =
      explodePage(Source.image(), PageMap(Source.image(), {4096}), {0});
  ASSERT_TRUE(bool(Edit));
  EXPECT_EQ(Edit->Change.Symbols.size(), 2u);
  EXPECT_EQ(Edit->Cost.Pages, 2u);
  llvm::Expected<PlannedEdit> None =
      explodePage(Source.image(), PageMap(Source.image(), {4096}), {7});
  ASSERT_FALSE(bool(None));
  EXPECT_EQ(toString(None.takeError()),
            "page 0x7000 has no object that could be moved");
}

} // namespace
