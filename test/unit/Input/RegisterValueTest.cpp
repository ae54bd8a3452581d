// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lattice of register values against plain sets: whatever is joined,
// nothing that a register may hold is lost, and it never takes more than four
// places.

#include "RegisterValue.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace linesman::input;

namespace {

/// Alternatives and whether there are others, as a set that nothing bounds.
struct Set {
  std::set<std::pair<int64_t, bool>> Exact;
  bool HasOther = false;
};

Value valueOf(int64_t Place, bool IsAddress) {
  return IsAddress ? Value::address(Place) : Value::number(Place);
}

/// Whether \p V allows for all that is in \p Wanted.
bool covers(const Value &V, const Set &Wanted) {
  bool IsOpen = V.alternatives() != V.known().size();
  if (Wanted.HasOther && !IsOpen)
    return false;
  for (auto [Place, IsAddress] : Wanted.Exact) {
    bool Found = IsOpen;
    for (const Alternative &A : V.known())
      Found |= A.isAddress() == IsAddress &&
               (A.Place == Place ||
                (A.IsMoving && (A.Place - Place) % int64_t(A.stride()) == 0));
    if (!Found)
      return false;
  }
  return true;
}

TEST(RegisterValue, JoinsLoseNothingAndEnd) {
  std::mt19937 Random(1);
  CodeMap Map; // of no objects
  for (unsigned Round = 0; Round != 2000; ++Round) {
    Value V;
    Set Expected;
    unsigned Changes = 0;
    for (unsigned I = 0; I != 40; ++I) {
      int64_t Place = int64_t(Random() % 6) * 8 - 8;
      bool IsAddress = Random() % 2;
      bool IsOther = Random() % 20 == 0;
      JoinKind Kind = Random() % 2 ? JoinKind::Forward : JoinKind::Backward;
      Value Given = IsOther ? Value::unknown() : valueOf(Place, IsAddress);
      if (IsOther)
        Expected.HasOther = true;
      else
        Expected.Exact.insert({Place, IsAddress});
      Value Before = V;
      bool Changed = V.join(Given, Kind, Map);
      Changes += Changed;
      ASSERT_EQ(Changed, Before.alternatives() != V.alternatives() ||
                             !std::equal(V.known().begin(), V.known().end(),
                                         Before.known().begin(),
                                         [](Alternative A, Alternative B) {
                                           return A.IsMoving == B.IsMoving &&
                                                  A.stride() == B.stride();
                                         }));
      ASSERT_LE(V.known().size(), 4u);
      ASSERT_TRUE(covers(V, Expected));
      ASSERT_FALSE(V.join(Given, Kind, Map)) << "the same again is nothing new";
    }
    // Four alternatives, each of which may start to move and then by less
    // (40 is the most, so three times), and others.
    ASSERT_LE(Changes, 21u);
  }
}

TEST(RegisterValue, IndexBeginsBehindWhatIsAddedToIt) {
  CodeMap Map;
  auto Begin = [](const Value &Index) {
    Value Place = Value::address(0x1000).plusIndex(Index, 8);
    EXPECT_EQ(Place.alternatives(), 1u);
    EXPECT_EQ(Place.known()[0].stride(), 8u);
    return Place.known()[0].Place - 0x1000;
  };
  Value Index = Value::unknown().plus(16, false).plus(8, false);
  EXPECT_EQ(Begin(Index), 24 * 8);
  // Nor is a hash an index, nor known how far i - 1 is from the base.
  EXPECT_EQ(Begin(Index.plus(1 << 20, false)), 0);
  EXPECT_EQ(Begin(Index.plus(-1, false)), 0);
  // Of several paths, the one with the least counts: round a loop, the first.
  Value Joined = Index;
  EXPECT_TRUE(
      Joined.join(Value::unknown().plus(4, false), JoinKind::Forward, Map));
  EXPECT_EQ(Begin(Joined), 4 * 8);
  EXPECT_FALSE(Joined.join(Joined.plus(1, false), JoinKind::Backward, Map));
  EXPECT_EQ(Begin(Joined), 4 * 8);
  EXPECT_TRUE(Joined.join(Value::unknown(), JoinKind::Forward, Map));
  EXPECT_EQ(Begin(Joined), 0);
}

TEST(RegisterValue, WithoutLoopsFourAlternativesStayExact) {
  CodeMap Map;
  Value V;
  for (int64_t I = 0; I != 4; ++I)
    EXPECT_TRUE(V.join(Value::address(I * 64), JoinKind::Forward, Map));
  EXPECT_EQ(V.alternatives(), 4u);
  EXPECT_TRUE(V.join(Value::address(4 * 64), JoinKind::Forward, Map));
  EXPECT_EQ(V.known().size(), 4u);
  EXPECT_EQ(V.alternatives(), 5u);
}

TEST(RegisterValue, SumsOfKnownIndicesAreAllSums) {
  std::mt19937 Random(2);
  CodeMap Map;
  for (unsigned Round = 0; Round != 500; ++Round) {
    Value Base, Index;
    std::set<int64_t> Bases, Indices, Sums;
    for (unsigned I = 0; I < 1 + Random() % 2; ++I)
      Bases.insert(Random() % 1000 * 64);
    for (unsigned I = 0; I < 1 + Random() % 2; ++I)
      Indices.insert(Random() % 8);
    for (int64_t B : Bases)
      Base.join(Value::address(B), JoinKind::Forward, Map);
    for (int64_t I : Indices)
      Index.join(Value::number(I), JoinKind::Forward, Map);
    for (int64_t B : Bases)
      for (int64_t I : Indices)
        Sums.insert(B + (I << 3));
    std::set<int64_t> Found;
    Value Sum = Base.plusIndex(Index, 8);
    for (const Alternative &A : Sum.known()) {
      EXPECT_TRUE(A.isAddress() && !A.IsMoving);
      Found.insert(A.Place);
    }
    EXPECT_EQ(Found, Sums);
  }
}

TEST(RegisterValue, AnUnknownIndexMoves) {
  Value Sum = Value::address(0x1000).plusIndex(Value::unknown(), 4);
  ASSERT_EQ(Sum.known().size(), 1u);
  EXPECT_TRUE(Sum.known()[0].IsMoving);
  EXPECT_EQ(Sum.known()[0].stride(), 4u);
  EXPECT_FALSE(Sum.exactAddress());
}

TEST(RegisterValue, StridesAreDivisors) {
  Alternative A;
  for (uint64_t Stride = 1; Stride != 4096; ++Stride) {
    A.moveBy(Stride);
    ASSERT_EQ(Stride % A.stride(), 0u) << Stride;
  }
  for (uint64_t Stride : {1, 8, 24, 40, 64, 128, 192, 320, 1984, 4096}) {
    A.moveBy(Stride);
    EXPECT_EQ(A.stride(), Stride);
  }
}

TEST(RegisterValue, IndicesOfTheFirstParameterAreTold) {
  CodeMap Map;
  Value First = Value::from(Base::Parameter, 0);
  Value Second = Value::from(Base::Parameter + 1, 0);
  Value Scaled = Value::number(0).plusIndex(First, 64);
  Value Element = Value::address(0x1000).plusIndex(Scaled, 1);
  ASSERT_EQ(Element.known().size(), 1u);
  EXPECT_EQ(Element.known()[0].stride(), 64u);
  EXPECT_TRUE(Element.known()[0].IsByFirst);
  EXPECT_FALSE(
      Value::address(0x1000).plusIndex(Second, 64).known()[0].IsByFirst);
  // Another element is not known to be the thread's.
  Element.join(Element.plus(64, false), JoinKind::Backward, Map);
  EXPECT_FALSE(Element.known()[0].IsByFirst);
}

TEST(RegisterValue, WhatDoesNotFitIsNotKnown) {
  EXPECT_TRUE(Value::number(-1).exactNumber());
  EXPECT_FALSE(Value::number(int64_t(1) << 50).exactNumber());
}

} // namespace
