// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// findSeparation against a search that tries everything.

#include "linesman/Plan/Separate.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace linesman::plan;

namespace {

using Place = LineParty::Place;

bool resolves(const LineProblem &Problem,
              const std::vector<unsigned> &BlockOf) {
  for (Conflict C : Problem.Conflicts)
    if (BlockOf[C.A] == BlockOf[C.B])
      return false;
  return true;
}

/// Whether after an object of \p Size left \p Gap bytes, what follows keeps its
/// place on its line, and shares no line with what is before unless it did:
/// from wherever the object began.
bool keepsPlaces(uint64_t Size, uint64_t Gap, uint64_t Line) {
  bool Keeps = Gap % Line == Size % Line;
  for (uint64_t Position = 1; Position <= Line; ++Position) {
    bool WasApart = (Position - 1) / Line != (Position + Size) / Line;
    Keeps &= !WasApart || (Position - 1) / Line != (Position + Gap) / Line;
  }
  return Keeps;
}

/// The least such bytes, by trying.
uint64_t leastGap(uint64_t Size, uint64_t Line) {
  static std::map<std::pair<uint64_t, uint64_t>, uint64_t> Known;
  auto [Gap, IsNew] = Known.try_emplace({Size, Line}, 0);
  while (IsNew && !keepsPlaces(Size, Gap->second, Line))
    ++Gap->second;
  return Gap->second;
}
/// By how much a program grows, counted and not computed: lay the members out
/// on new lines, and put the gaps in their places.
uint64_t growth(const LineProblem &Problem,
                const std::vector<unsigned> &Members) {
  uint64_t End = 0, Old = 0, Gaps = 0;
  for (unsigned Member : Members) {
    const LineParty &P = Problem.Parties[Member];
    while (End % P.Alignment)
      ++End;
    End += P.Size;
    Old += P.Size;
    Gaps += leastGap(P.Size, Problem.Line);
  }
  while (End % Problem.Line)
    ++End;
  return End + Gaps - Old;
}

/// The least bytes over every assignment of parties to blocks, and every pad.
std::optional<uint64_t> tryEverything(const LineProblem &Problem) {
  unsigned N = Problem.Parties.size();
  std::optional<uint64_t> Best;
  auto Offer = [&](uint64_t Bytes) {
    Best = std::min(Best.value_or(Bytes), Bytes);
  };
  for (unsigned Gap = 1; Gap < N; ++Gap) {
    bool Cuts = Problem.Parties[Gap].Standing == Place::Movable;
    for (Conflict C : Problem.Conflicts)
      Cuts &= (C.A < Gap) != (C.B < Gap);
    if (Cuts)
      Offer(Problem.Line);
  }
  std::vector<unsigned> BlockOf(N, 0);
  while (true) {
    bool Allowed = resolves(Problem, BlockOf);
    for (unsigned I = 0; I != N; ++I)
      Allowed &=
          BlockOf[I] == 0 || Problem.Parties[I].Standing == Place::Movable;
    if (Allowed) {
      uint64_t Bytes = 0;
      for (unsigned Block = 1; Block <= N; ++Block) {
        std::vector<unsigned> Members;
        for (unsigned I = 0; I != N; ++I)
          if (BlockOf[I] == Block)
            Members.push_back(I);
        if (!Members.empty())
          Bytes += growth(Problem, Members);
      }
      Offer(Bytes);
    }
    unsigned I = 0;
    while (I != N && ++BlockOf[I] > N)
      BlockOf[I++] = 0;
    if (I == N)
      return Best;
  }
}

LineProblem randomProblem(std::mt19937 &Random, unsigned Parties) {
  LineProblem Problem;
  Problem.Line = Random() % 2 ? 64 : 128;
  for (unsigned I = 0; I != Parties; ++I) {
    uint64_t Alignment = uint64_t(1) << Random() % 5;
    Problem.Parties.push_back({Alignment * (1 + Random() % 8), Alignment,
                               Random() % 6 ? Place::Movable : Place::Fixed,
                               LineParty::Use::Read});
  }
  for (unsigned A = 0; A != Parties; ++A)
    for (unsigned B = A + 1; B != Parties; ++B)
      if (Random() % 2)
        Problem.Conflicts.push_back({A, B});
  return Problem;
}

/// What is found resolves the conflicts, moves nobody who must stay, and costs
/// what it says.
void expectHolds(const LineProblem &Problem, const Separation &Found) {
  if (Found.PadBefore) {
    EXPECT_TRUE(Found.Blocks.empty());
    EXPECT_EQ(Problem.Parties[*Found.PadBefore].Standing, Place::Movable);
    EXPECT_EQ(Found.Bytes, Problem.Line);
    for (Conflict C : Problem.Conflicts)
      EXPECT_NE(C.A < *Found.PadBefore, C.B < *Found.PadBefore);
    return;
  }
  std::vector<unsigned> BlockOf(Problem.Parties.size(), 0);
  uint64_t Bytes = 0;
  for (unsigned I = 0; I != Found.Blocks.size(); ++I) {
    Bytes += growth(Problem, Found.Blocks[I]);
    for (unsigned Member : Found.Blocks[I]) {
      EXPECT_EQ(BlockOf[Member], 0u);
      EXPECT_EQ(Problem.Parties[Member].Standing, Place::Movable);
      BlockOf[Member] = I + 1;
    }
  }
  EXPECT_TRUE(resolves(Problem, BlockOf));
  EXPECT_EQ(Found.Bytes, Bytes);
}

TEST(Separate, IsAsCheapAsAnySearch) {
  std::mt19937 Random(1);
  // The search of everything grows fast: few rounds of many parties.
  for (auto [Parties, Rounds] : {std::pair(2u, 30u),
                                 {3u, 30u},
                                 {4u, 30u},
                                 {5u, 30u},
                                 {6u, 12u},
                                 {MostExactParties, 3u}})
    for (unsigned Round = 0; Round != Rounds; ++Round) {
      SCOPED_TRACE(testing::Message() << Parties << " in round " << Round);
      LineProblem Problem = randomProblem(Random, Parties);
      std::optional<Separation> Found = findSeparation(Problem);
      std::optional<uint64_t> Best = tryEverything(Problem);
      ASSERT_EQ(Found.has_value(), Best.has_value());
      if (!Found)
        continue;
      EXPECT_EQ(Found->Bytes, *Best);
      expectHolds(Problem, *Found);
    }
}

TEST(Separate, ResolvesEveryConflictOfManyParties) {
  std::mt19937 Random(2);
  unsigned WithFixed = 0;
  for (int Round = 0; Round != 200; ++Round) {
    SCOPED_TRACE(Round);
    LineProblem Problem = randomProblem(Random, 8 + Round % 8);
    // Two that stay and conflict have no solution.
    erase_if(Problem.Conflicts, [&](Conflict C) {
      return Problem.Parties[C.A].Standing == Place::Fixed &&
             Problem.Parties[C.B].Standing == Place::Fixed;
    });
    std::optional<Separation> Found = findSeparation(Problem);
    ASSERT_TRUE(Found);
    expectHolds(Problem, *Found);
    for (const LineParty &Party : Problem.Parties)
      WithFixed += Party.Standing == Place::Fixed;
  }
  EXPECT_TRUE(WithFixed);
}

TEST(Separate, TakesOneGapWhereItCutsAll) {
  // Two objects that fill more than a line together.
  LineProblem Problem{{}, {{0, 2}, {1, 3}}, 64};
  Problem.Parties.resize(4, {40, 8, Place::Movable, LineParty::Use::Read});
  std::optional<Separation> Found = findSeparation(Problem);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->PadBefore, 2u);
  EXPECT_EQ(Found->Bytes, 64u);
}

TEST(Separate, MovesTheWrittenOneOfEquals) {
  for (unsigned Written : {0u, 1u}) {
    LineProblem Problem{{}, {{0, 1}}, 64};
    // Whole lines: as cheap as a pad.
    Problem.Parties.resize(2, {64, 64, Place::Movable, LineParty::Use::Read});
    Problem.Parties[Written].Usage = LineParty::Use::Written;
    std::optional<Separation> Found = findSeparation(Problem);
    ASSERT_TRUE(Found);
    EXPECT_EQ(Found->Blocks, std::vector<std::vector<unsigned>>{{Written}});
  }
}

TEST(Separate, RefusesFixedPartiesInConflict) {
  LineProblem Problem{
      {{8, 8, Place::Fixed}, {8, 8, Place::Fixed}}, {{0, 1}}, 64};
  EXPECT_FALSE(findSeparation(Problem));
}

} // namespace
