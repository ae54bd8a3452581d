// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines and pages against an oracle that asks every byte for its block.

#include "linesman/Layout/LineMap.h"
#include "Literals.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace llvm;
using namespace linesman::layout;

namespace {

using Strings = std::vector<std::string>;
using Blocks = std::vector<uint64_t>;

template <typename Map> std::vector<uint64_t> visited(const Map &Blocks) {
  std::vector<uint64_t> Result;
  Blocks.visit([&](auto Block) {
    Result.push_back(Block.Value);
    return true;
  });
  return Result;
}

TEST(LineMap, SectionsShareTheLineBetweenThem) {
  Image Program =
      buildImage({{data(".data", 0x40, 0x90), data(".bss", 0x90, 0xc0)},
                  {object("a", 0x80, 16, 0), object("b", 0x90, 16, 1)}});
  LineMap Lines(Program, {64});
  EXPECT_EQ(visited(Lines), Blocks({1, 2}));
  std::vector<std::string> Labels;
  for (OccupantIndex I : Lines.occupants(LineIndex{2}))
    Labels.push_back(Program.label(I));
  EXPECT_EQ(Labels, Strings({"a", "b", "[padding]"}));
}

TEST(LineMap, OnlyDataSectionsHaveLines) {
  Image Program =
      buildImage({{data(".data.rel.ro", 0x40, 0x80, SectionKind::Relro),
                   data(".tbss", 0x80, 0x100, SectionKind::Tls),
                   data(".data", 0x80, 0xc0)},
                  {}});
  LineMap Lines(Program, {64});
  EXPECT_EQ(visited(Lines), Blocks({2}));
  EXPECT_EQ(Lines.count(), 1u);
  EXPECT_TRUE(Lines.occupants(LineIndex{1}).empty());
  EXPECT_TRUE(Lines.occupants(LineIndex{3}).empty());
}

TEST(LineMap, VisitEndsWhenTheVisitorHasEnough) {
  Image Program = buildImage({{data(".bss", 0, uint64_t(1) << 62)}, {}});
  unsigned Visits = 0;
  LineMap(Program, {64}).visit([&](LineIndex) { return ++Visits != 3; });
  EXPECT_EQ(Visits, 3u);
}

TEST(LineMap, LastLineOfTheAddressSpaceHasItsOccupants) {
  Image Program =
      buildImage({{data(".bss", UINT64_MAX - 100, UINT64_MAX)}, {}});
  LineMap Lines(Program, {64});
  LineIndex Last = Lines.indexOf({UINT64_MAX});
  EXPECT_EQ(Lines.range(Last).End.Value, UINT64_MAX);
  EXPECT_EQ(Lines.occupants(Last).size(), 1u);
}

/// What belongs to each block, by asking every byte.
template <typename Map>
std::map<uint64_t, std::vector<OccupantIndex>>
blocksByHand(const Image &Program, const Map &Blocks) {
  std::map<uint64_t, std::vector<OccupantIndex>> Result;
  for (const Section &S : Program.sections()) {
    if (S.Kind != SectionKind::Data)
      continue;
    for (LinkAddress B = S.Range.Begin; B < S.Range.End; B = B + 1) {
      std::vector<OccupantIndex> &Inside = Result[B.Value / Blocks.blockSize()];
      OccupantIndex Occupant = *Program.occupantAt(B);
      if (!is_contained(Inside, Occupant))
        Inside.push_back(Occupant);
    }
  }
  return Result;
}

template <typename Map>
void expectAsByHand(const Image &Program, const Map &Blocks) {
  auto Expected = blocksByHand(Program, Blocks);
  std::vector<uint64_t> Numbers;
  for (auto &[Block, Occupants] : Expected) {
    Numbers.push_back(Block);
    // Wherever the search begins.
    const OccupantIndex Last = Program.occupants().size() - 1;
    for (OccupantIndex Hint : {0u, Occupants.front(), Occupants.back(), Last}) {
      const auto Found = Blocks.occupants({Block}, Hint);
      EXPECT_EQ(std::vector(Found.begin(), Found.end()), Occupants);
    }
  }
  EXPECT_EQ(visited(Blocks), Numbers);
  EXPECT_EQ(Blocks.count(), Numbers.size());
}

TEST(LineMap, EveryBlockSizeAgreesWithTheOracle) {
  std::mt19937 Random(99);
  for (unsigned Round = 0; Round != 60; ++Round) {
    auto Up = [&](uint64_t Most) { return Random() % (Most + 1); };
    ImageDescription D;
    uint64_t Address = 0x1000 + Up(5000);
    for (unsigned I = 0, E = 1 + Up(4); I != E; ++I) {
      uint64_t End = Address + (Up(4) ? Up(3000) : 0);
      D.Sections.push_back(data(".s", Address, End,
                                Up(3) ? SectionKind::Data : SectionKind::Tls));
      for (unsigned Symbols = Up(40); Symbols; --Symbols)
        D.Symbols.push_back(
            object("o", Address + Up(End - Address), 1 + Up(90), I));
      if (D.Sections.back().Kind == SectionKind::Data)
        Address = End + (Up(1) ? Up(9000) : 0);
    }
    Image Program = buildImage(D);
    SCOPED_TRACE(Round);
    for (uint64_t Size = 16; Size <= 4096; Size *= 2)
      expectAsByHand(Program, LineMap(Program, {Size}));
    for (uint64_t Size : {4096, 65536})
      expectAsByHand(Program, PageMap(Program, {Size}));
  }
}

} // namespace
