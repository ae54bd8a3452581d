// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What accesses of one line come to: numbers worked out by hand from the rule
// "a writer with weight W and another party with weight X force min(W, X)".

#include "Literals.h"
#include "gtest/gtest.h"

using namespace linesman;
using namespace linesman::layout;

namespace {

/// The score of the only finding; nothing scored is all zeros.
Score only(const Scene &S) {
  Found F(S);
  EXPECT_LE(F.Findings.size(), 1u);
  return F.Findings.empty() ? Score() : F.Findings[0].Points;
}

#define EXPECT_SCORE(S, WantedTrue, WantedBetween, WantedWithin)               \
  do {                                                                         \
    Score Points = only(S);                                                    \
    EXPECT_DOUBLE_EQ(Points.True, WantedTrue);                                 \
    EXPECT_DOUBLE_EQ(Points.Between, WantedBetween);                           \
    EXPECT_DOUBLE_EQ(Points.Within, WantedWithin);                             \
  } while (false)

Scene twoObjects() {
  return Scene({object("a", 0x40, 16), object("b", 0x50, 16)});
}

TEST(Score, WriterMeetsItselfOnAnotherThread) {
  EXPECT_SCORE(twoObjects().fact(0x40, {writes(3)}), 3, 0, 0);
}

/// What two writers with weights 2 and 3 force, whose elements of 8 bytes begin
/// so many bytes apart.
double pointsOfElements(uint64_t Apart) {
  auto A = writes(2, Somewhere, 4), B = writes(3, Somewhere, 4);
  A.Stride = B.Stride = 8;
  B.First = Apart;
  return only(Scene({object("a", 0x40, 64)}).fact(0x40, {A, B})).total();
}

TEST(Score, ElementsCountedFromAnyOfThemAreOneParty) {
  EXPECT_DOUBLE_EQ(pointsOfElements(0), 2 + 3);
  EXPECT_DOUBLE_EQ(pointsOfElements(16), 2 + 3);
  // Another member of the elements.
  EXPECT_DOUBLE_EQ(pointsOfElements(4), 2 + 3 + 2);
}

TEST(Score, ReadersForceNothing) {
  EXPECT_SCORE(twoObjects().fact(0x40, {reads(3)}).fact(0x50, {reads(9)}), 0, 0,
               0);
}

TEST(Score, ReaderOfTheSameBytesIsTrueSharing) {
  EXPECT_SCORE(twoObjects().fact(0x40, {writes(3), reads(5)}), 3 + 3, 0, 0);
}

TEST(Score, OverlapOfOneByteIsTrueSharing) {
  EXPECT_SCORE(twoObjects().fact(0x40, {writes(3, 0, 8), reads(5, 7, 4)}),
               3 + 3, 0, 0);
}

TEST(Score, ReaderOfOtherBytesIsFalseSharingWithinTheObject) {
  EXPECT_SCORE(twoObjects().fact(0x40, {writes(3, 0, 8), reads(2, 8, 8)}), 3, 0,
               2);
}

TEST(Score, ReaderOfTheNeighbourIsFalseSharingBetweenObjects) {
  EXPECT_SCORE(twoObjects().fact(0x40, {writes(3)}).fact(0x50, {reads(2)}), 3,
               2, 0);
}

/// Somewhere in an object, in steps.
facts::Access stepping(uint64_t Stride, uint64_t First, bool IsByThread,
                       facts::Access A) {
  A.Offset = std::nullopt;
  A.Stride = Stride;
  A.First = First;
  A.IsByThread = IsByThread;
  return A;
}

Scene array(uint64_t Size, facts::Access A) {
  Scene S({object("a", 0x40, Size)});
  S.fact(0x40, {A});
  return S;
}

TEST(Score, ThreadsWithLinesOfTheirOwnMeetNobody) {
  EXPECT_SCORE(array(0x200, stepping(64, 0, true, writes(8))), 0, 0, 0);
  EXPECT_SCORE(array(0x400, stepping(128, 8, true, writes(8))), 0, 0, 0);
}

TEST(Score, ThreadsWithElementsOfTheirOwnOnOneLineShareItFalsely) {
  // One line is all of the object.
  EXPECT_SCORE(array(64, stepping(8, 0, true, writes(8))), 0, 0, 8);
}

TEST(Score, ElementsWithLinesOfTheirOwnAreNoSignThatThreadsMeet) {
  Found F(array(0x80, stepping(64, 0, false, writes(8))));
  EXPECT_TRUE(F.Findings.empty());
  // Half lines are none, also where half a line is all that is left of them.
  EXPECT_FALSE(
      Found(array(0x60, stepping(32, 0, false, writes(8)))).Findings.empty());
}

TEST(Score, ElementsWholeLinesApartAreSharedTruly) {
  // They begin in lines, so that nobody has seen to it.
  Scene S({object("a", 0x48, 0x80)});
  S.fact(0x48, {stepping(64, 0, false, writes(8))});
  Found F(S);
  ASSERT_FALSE(F.Findings.empty());
  EXPECT_DOUBLE_EQ(F.Findings[0].Points.True, 4);
  EXPECT_DOUBLE_EQ(F.Findings[0].Points.Within, 0);
}

TEST(Score, WhatIsAtAKnownPlaceMeetsTheElementThatIsThere) {
  auto scoreOf = [](uint64_t Stride, facts::Access Read) {
    Scene S({object("a", 0x40, 64)});
    S.fact(0x40, {stepping(Stride, 0, true, writes(8)), Read});
    return Found(S).Findings.at(0).Points;
  };
  // Of one element, that one or another part of it.
  EXPECT_DOUBLE_EQ(scoreOf(64, reads(8, 0)).True, 8);
  EXPECT_DOUBLE_EQ(scoreOf(64, reads(8, 0)).Within, 0);
  EXPECT_DOUBLE_EQ(scoreOf(64, reads(8, 8)).True, 0);
  EXPECT_DOUBLE_EQ(scoreOf(64, reads(8, 8)).Within, 8);
  // One of two; the threads' own neighbours are falsely shared.
  EXPECT_DOUBLE_EQ(scoreOf(32, reads(8, 32)).True, 4);
  EXPECT_DOUBLE_EQ(scoreOf(32, reads(8, 32)).Within, 4 + 8);
}

TEST(Score, AnElementThatCrossesALineMeetsItsNeighbour) {
  Found F(array(0x200, stepping(64, 60, true, writes(8))));
  ASSERT_FALSE(F.Findings.empty());
  EXPECT_DOUBLE_EQ(F.Findings[0].Points.True, 0);
  EXPECT_GT(F.Findings[0].Points.Within, 0);
}

TEST(Score, AtomicsAreWrites) {
  EXPECT_SCORE(twoObjects().fact(0x40, {atomics(2)}).fact(0x50, {atomics(5)}),
               2 + 5, 2, 0);
}

TEST(Score, AccessesOfTheSameBytesAreOneParty) {
  // Not 1 + 2 + min(1, 2): the two writes are one party, of weight 3.
  EXPECT_SCORE(twoObjects()
                   .fact(0x40, {writes(1)}, 0x1000, "f")
                   .fact(0x40, {writes(2)}, 0x2000, "g"),
               3, 0, 0);
}

TEST(Score, AccessOfUnknownLengthTouchesOneByte) {
  EXPECT_SCORE(twoObjects().fact(0x40, {writes(3, 0, 0), reads(2, 1, 1)}), 3, 0,
               2);
}

TEST(Score, AccessSomewhereMeetsAnotherByChance) {
  // 8 of 64 bytes: one in eight meets on the same bytes.
  Scene S({object("array", 0x40, 64)});
  EXPECT_SCORE(S.fact(0x40, {writes(8, Somewhere, 8)}), 1, 0, 7);
}

TEST(Score, AccessSomewhereInALargeArraySpreadsItsWeight) {
  Scene S({object("array", 0x40, 128)});
  Found F(S.fact(0x40, {writes(8, Somewhere, 8)}));
  ASSERT_EQ(F.Findings.size(), 1u);
  EXPECT_EQ(F.Findings[0].Lines, 2u);
  EXPECT_DOUBLE_EQ(F.Findings[0].Points.total(), 4);
  EXPECT_DOUBLE_EQ(F.Findings[0].Occupants[0].Writes, 4);
}

TEST(Score, AccessAcrossTwoLinesCountsOnBoth) {
  Scene S({object("a", 0x78, 16)});
  Found F(S.fact(0x78, {writes(3, 4, 8)}));
  ASSERT_EQ(F.Findings.size(), 2u);
  EXPECT_DOUBLE_EQ(F.Findings[0].Points.total(), 3);
  EXPECT_DOUBLE_EQ(F.Findings[1].Points.total(), 3);
}

TEST(Score, OtherLineOfAnObjectIsNotConcerned) {
  Scene S({object("a", 0x40, 128), object("b", 0xc0, 8)});
  EXPECT_SCORE(S.fact(0x40, {writes(3)}).fact(0xc0, {reads(2)}), 3, 0, 0);
}

TEST(Score, LineSizeDecidesWhoMeets) {
  Scene S({object("a", 0x100, 8), object("b", 0x140, 8)});
  S.fact(0x100, {writes(3)}).fact(0x140, {reads(2)});
  EXPECT_DOUBLE_EQ(Found(S, 64).Findings.at(0).Points.Between, 0);
  EXPECT_DOUBLE_EQ(Found(S, 128).Findings.at(0).Points.Between, 2);
}

TEST(Score, StartUpCodeDoesNotCount) {
  EXPECT_SCORE(twoObjects()
                   .fact(0x40, {writes(3)}, 0x1000, "main")
                   .fact(0x40, {reads(5)}, 0x2000, "work")
                   .fact(0x50, {reads(5)}, 0x2000, "work"),
               0, 0, 0);
}

TEST(Score, StartUpReadersDoNotCountEither) {
  Scene S = twoObjects()
                .fact(0x40, {writes(3)}, 0x2000, "work")
                .fact(0x50, {reads(5)}, 0x1000, "init");
  Found F(S, 64, {{0x1000}});
  ASSERT_EQ(F.Findings.size(), 1u);
  EXPECT_DOUBLE_EQ(F.Findings[0].Points.total(), 3);
  EXPECT_DOUBLE_EQ(F.Findings[0].Occupants[1].Reads, 0);
}

TEST(Score, KindIgnoresPartsBelowFivePercent) {
  auto KindWithReaders = [](unsigned Readers) {
    std::vector<Symbol> Symbols = {object("a", 0x40, 8)};
    for (unsigned I = 0; I != Readers; ++I)
      Symbols.push_back(object("r", 0x48 + I, 1));
    Scene S(Symbols);
    S.fact(0x40, {writes(1)});
    for (unsigned I = 0; I != Readers; ++I)
      S.fact(0x48 + I, {reads(1, 0, 1)});
    return Found(S).Findings.at(0).Kind;
  };
  EXPECT_EQ(KindWithReaders(0), SharingKind::True);
  EXPECT_EQ(KindWithReaders(1), SharingKind::Mixed);
  EXPECT_EQ(KindWithReaders(18), SharingKind::Mixed); // 1 of 19
  EXPECT_EQ(KindWithReaders(19), SharingKind::False); // 1 of 20
}

} // namespace
