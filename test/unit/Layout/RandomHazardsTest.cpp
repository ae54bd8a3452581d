// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// findHazards looks at few lines: the ends of objects and accesses, and one
// line for each run between them. The oracle scores every line.

#include "Literals.h"
#include "Score.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace llvm;
using namespace linesman;
using namespace linesman::layout;

namespace {

class RandomScenes {
public:
  explicit RandomScenes(unsigned Seed) : Random(Seed) {}

  Scene next() {
    ImageDescription D;
    uint64_t Address = 0x1000 + up(200);
    for (unsigned I = 0, E = 1 + up(2); I != E; ++I) {
      D.Sections.push_back(data(".s", Address, Address + 1 + up(3000)));
      Address = D.Sections.back().Range.End.Value + (up(1) ? up(300) : 0);
    }
    for (unsigned I = 0, E = 1 + up(12); I != E; ++I) {
      uint16_t Section = up(D.Sections.size() - 1);
      AddressRange Range = D.Sections[Section].Range;
      // May begin before the section, reach beyond it, and overlap others.
      D.Symbols.push_back(object("o",
                                 Range.Begin.Value - 8 + up(Range.size() + 8),
                                 1 + (up(2) ? up(60) : up(1500)), Section));
    }
    Scene S(D);
    for (unsigned I = 0, E = up(12); I != E; ++I) {
      const Symbol &Object = D.Symbols[up(D.Symbols.size() - 1)];
      std::vector<facts::Access> Accesses;
      for (unsigned A = 0, AE = 1 + up(3); A != AE; ++A)
        Accesses.push_back(
            access(facts::AccessKind(up(2)), 1 + up(4),
                   up(2) ? std::optional(up(Object.Size)) : std::nullopt,
                   up(3) ? up(16) : up(2000)));
      uint64_t Function = 0x100000 + up(3);
      S.fact(Object.Address.Value, Accesses, Function,
             Function == 0x100000 ? "main" : "work");
    }
    return S;
  }

private:
  std::mt19937 Random;
  uint64_t up(uint64_t Most) { return Random() % (Most + 1); }
};

/// Lines of which one may stand for the others, wherever they are: only the
/// head's accesses, anywhere in it.
bool mayMerge(const AccessTable &Table, ArrayRef<LineOccupant> Occupants) {
  std::set<uint32_t> Touched;
  for (const LineOccupant &Place : Occupants) {
    if (!Place.Object)
      continue;
    Touched.insert(Place.Object->Symbol);
    for (const ObjectAccess &A : Place.Object->Accesses)
      if (A.offset() && Table.isConcurrent(A))
        return false;
  }
  return Touched.size() == 1;
}

void expectAsByHand(const Scene &S, uint64_t LineBytes) {
  Found F(S, LineBytes);
  LineMap Lines(S.image(), {LineBytes});
  std::map<uint64_t, double> Expected;              // lines that stand alone
  std::map<uint32_t, std::vector<double>> ByObject; // lines that may merge
  Lines.visit([&](LineIndex Line) {
    auto Occupants = lineOccupants(S.image(), Lines, F.Table, Line);
    LineScore Scored = scoreLine(S.image(), F.Table, Occupants, {LineBytes});
    if (Scored.Points.total() < LeastPoints)
      return true;
    if (mayMerge(F.Table, Occupants))
      ByObject[Scored.Forced.begin()->first].push_back(Scored.Points.total());
    else
      Expected[Line.Value] = Scored.Points.total();
    return true;
  });

  for (const LineFinding &Finding : F.Findings) {
    if (mayMerge(F.Table, Finding.Occupants)) {
      auto It = ByObject.find(Finding.Head);
      ASSERT_NE(It, ByObject.end()) << "two findings for like lines";
      EXPECT_EQ(Finding.Lines, It->second.size());
      EXPECT_EQ(Finding.Points.total(),
                *std::max_element(It->second.begin(), It->second.end()));
      ByObject.erase(It);
      continue;
    }
    for (uint64_t I = 0; I != Finding.Lines; ++I) {
      auto It = Expected.find(Finding.Line.Value + I);
      ASSERT_NE(It, Expected.end());
      EXPECT_EQ(Finding.Points.total(), It->second);
      Expected.erase(It);
    }
  }
  EXPECT_TRUE(Expected.empty()) << "a line with a score and no finding";
  EXPECT_TRUE(ByObject.empty()) << "an array with a score and no finding";
  EXPECT_TRUE(is_sorted(F.Findings, [](const auto &A, const auto &B) {
    return A.Points.total() > B.Points.total();
  }));
}

TEST(RandomHazards, ChosenLinesAreAllThatScore) {
  RandomScenes Scenes(4711);
  for (unsigned Round = 0; Round != 1500; ++Round) {
    SCOPED_TRACE(Round);
    Scene S = Scenes.next();
    for (uint64_t LineBytes : {16, 64, 256, 4096})
      expectAsByHand(S, LineBytes);
    if (HasFatalFailure())
      return;
  }
}

} // namespace
