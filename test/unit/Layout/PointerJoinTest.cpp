// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The join of pointers: what is done through them becomes accesses to objects.

#include "PointerLiterals.h"
#include "gtest/gtest.h"

using namespace linesman;
using namespace linesman::layout;

namespace {

TEST(PointerJoin, AnAccessOfTheCalleeCountsForWhoHandsTheAddress) {
  Program P;
  P.add(G, {at(16, writes(parameter(0), 2))});
  P.add(F, {at(8, hands(object(Nil), G, 0, 3))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].User, F);
  EXPECT_EQ(All[0].Object, Nil);
  EXPECT_EQ(All[0].Access.Offset, 24u);
  EXPECT_EQ(All[0].Access.Size, 8u);
  EXPECT_EQ(All[0].Access.Weight, 6);
  EXPECT_FALSE(P.passage(All[0]).IsMay);
  EXPECT_EQ(P.passage(All[0]).SiteAddress.Value, G);
}

TEST(PointerJoin, ChainsCompose) {
  Program P;
  P.add(H, {at(-8, writes(parameter(1), 2))});
  P.add(G, {at(16, hands(parameter(0), H, 1, 5))});
  P.add(F, {hands(object(Nil), G)});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Access.Offset, 8u);
  EXPECT_EQ(All[0].Access.Weight, 10);
  EXPECT_EQ(P.passage(All[0]).SiteAddress.Value, H);
}

TEST(PointerJoin, AnElementIsHandedOn) {
  Program P;
  P.add(H, {at(8, writes(parameter(0)))});
  P.add(G, {at(4, hands(parameter(0), H)),
            at(std::nullopt, writes(parameter(0)))});
  P.add(F, {each(40, 16, hands(object(Nil), G))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 2u);
  EXPECT_FALSE(All[0].Access.Offset);
  EXPECT_EQ(All[0].Access.Stride, 40u);
  EXPECT_EQ(All[0].Access.First, 28u);
  EXPECT_EQ(All[0].Access.Size, 8u);
  EXPECT_FALSE(All[0].Access.IsByThread);
  // Somewhere in the element.
  EXPECT_EQ(All[1].Access.Stride, 40u);
  EXPECT_EQ(All[1].Access.First, 16u);
  EXPECT_EQ(All[1].Access.Size, 40u);
}

TEST(PointerJoin, AnElementIsPickedByTheCallee) {
  Program P;
  P.add(H, {at(-8, writes(parameter(0)))});
  P.add(G, {each(64, 0, hands(parameter(0), H)),
            each(64, 24, writes(parameter(0)))});
  P.add(F, {at(128, hands(object(Nil), G))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All[0].Access.Stride, 64u);
  EXPECT_EQ(All[0].Access.First, 120u);
  EXPECT_EQ(All[1].Access.First, 152u);
}

TEST(PointerJoin, WhatIsInFrontOfAllElementsIsInOne) {
  Program P;
  P.add(G, {at(-8, writes(parameter(0)))});
  P.add(F, {each(64, 0, hands(object(Nil), G))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Access.First, 56u);
}

TEST(PointerJoin, AnElementMayBeTheOneThatATestExcludes) {
  Program P;
  P.add(G, {unless(Nil, writes(parameter(0)))});
  P.add(F, {each(64, 0, hands(object(Nil), G))});
  EXPECT_EQ(P.run().size(), 1u);
}

TEST(PointerJoin, EachThreadIsStartedWithAnElementOfItsOwn) {
  Program P;
  facts::Calls Starter;
  Starter.Caller = function(F);
  Starter.Edges.push_back({facts::CallKind::Start, function(G)});
  P.Builder.add(Starter);
  P.add(G, {writes(parameter(0)), at(std::nullopt, writes(parameter(0)))});
  P.add(F, {each(24, 0, hands(object(Nil), G))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 2u);
  for (const FoundAccess &A : All) {
    EXPECT_EQ(A.User, G);
    EXPECT_TRUE(A.Access.IsByThread);
    EXPECT_EQ(A.Access.Stride, 24u);
  }
}

TEST(PointerJoin, RecursionEnds) {
  Program P;
  P.add(G, {writes(parameter(0)), hands(parameter(0), H)});
  P.add(H, {at(8, writes(parameter(0))), hands(parameter(0), G),
            at(8, hands(parameter(0), H))});
  P.add(F, {hands(object(Nil), G), hands(object(Other), H)});
  auto All = P.run();
  auto Count = [&](uint64_t Object, uint64_t Offset) {
    return std::count_if(All.begin(), All.end(), [&](const FoundAccess &A) {
      return A.Object == Object && A.Access.Offset == Offset;
    });
  };
  for (uint64_t Object : {Nil, Other})
    for (uint64_t Offset : {0, 8})
      EXPECT_EQ(Count(Object, Offset), 1) << Object << '+' << Offset;
}

TEST(PointerJoin, CopiesCountOnce) {
  Program P;
  P.add(G, {writes(parameter(0))});
  P.add(G, {writes(parameter(0))});
  P.add(F, {hands(object(Nil), G)});
  P.add(F, {hands(object(Nil), G)});
  EXPECT_EQ(P.run().size(), 1u);
}

TEST(PointerJoin, ATestOfIdentityExcludes) {
  Program P;
  P.add(H, {unless(Nil, writes(parameter(0)))});
  P.add(G, {hands(parameter(0), H), unless(Other, hands(parameter(0), H))});
  P.add(F, {hands(object(Nil), G), hands(object(Other), G, 0, 7)});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Object, Other);
  EXPECT_EQ(All[0].Access.Weight, 7);
}

TEST(PointerJoin, AnExceptionShiftsWithThePointer) {
  Program P;
  P.add(H, {unless(Nil + 8, writes(parameter(0)))});
  P.add(G, {at(8, hands(parameter(0), H))});
  P.add(F, {hands(object(Nil), G), at(8, hands(object(Nil), G))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Access.Offset, 16u);
}

TEST(PointerJoin, AResultThatIsOneObjectIsCertain) {
  Program P;
  P.add(G, {at(8, use(PointerUse::Returned, object(Nil)))});
  P.add(F, {at(8, writes(result(G), 3))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Object, Nil);
  EXPECT_EQ(All[0].Access.Offset, 16u);
  EXPECT_EQ(All[0].Access.Weight, 3);
  EXPECT_FALSE(P.passage(All[0]).IsMay);
}

TEST(PointerJoin, AMemberMayHoldEachObjectOrAnotherOne) {
  Program P;
  P.add(G, {stores(object(Nil), field("S", 8)),
            stores(parameter(0), field("S", 8))});
  P.add(H, {hands(object(Other), G)});
  P.add(F, {writes(field("S", 8), 3), writes(field("S", 0), 3),
            writes(field("T", 8), 3)});
  auto All = P.run();
  ASSERT_EQ(All.size(), 2u);
  for (const FoundAccess &A : All) {
    EXPECT_EQ(A.User, F);
    EXPECT_EQ(A.Access.Weight, 1); // each, and one that has no symbol
    EXPECT_TRUE(P.passage(A).IsMay);
    EXPECT_EQ(P.passage(A).Record, "S");
    EXPECT_EQ(P.passage(A).MemberOffset, 8u);
  }
  EXPECT_NE(All[0].Object, All[1].Object);
}

TEST(PointerJoin, AMemberIsOneHoweverAUnitNamesItsRecord) {
  Program P;
  P.add(G, {stores(object(Nil), field("_ZTSN2ns1SIiEE", 8)),
            stores(object(Other), field("_ZTSN2ns1SIiE1TE", 8))});
  P.add(F, {writes(field("ns::S", 8))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Object, Nil);
}

TEST(PointerJoin, ATestOfIdentityExcludesWhatAMemberHolds) {
  Program P;
  P.add(G, {stores(object(Nil), field("S", 8))});
  P.add(F, {unless(Nil, at(16, writes(field("S", 8))))});
  EXPECT_TRUE(P.run().empty());
}

TEST(PointerJoin, VariablesHoldWhatTheyBeganWith) {
  Program P;
  P.add(0, {stores(object(Nil), variable(0x5000, 0)),
            stores(object(Other), variable(0x5000, 8))});
  P.add(F, {writes(variable(0x5000, 8), 2)});
  P.add(G, {writes(variable(0x5000, std::nullopt), 3)});
  auto All = P.run();
  ASSERT_EQ(All.size(), 3u);
  EXPECT_EQ(All[0].Object, Other);
  EXPECT_EQ(All[0].Access.Weight, 1);
  EXPECT_EQ(All[1].Access.Weight, 1);
  EXPECT_EQ(All[2].Access.Weight, 1);
}

TEST(PointerJoin, AStoreSomewhereIsEverywhere) {
  Program P;
  P.add(G, {stores(object(Nil), variable(0x5000, std::nullopt))});
  P.add(F, {writes(variable(0x5000, 8)), writes(variable(0x6000, 8))});
  EXPECT_EQ(P.run().size(), 1u);
}

TEST(PointerJoin, AThreadsArgumentIsTheThreads) {
  Program P;
  facts::Calls Calls;
  Calls.Caller = function(F);
  Calls.Edges.emplace_back().Kind = facts::CallKind::Start;
  Calls.Edges.back().Callee = function(G);
  P.Builder.add(Calls);
  P.add(G, {writes(parameter(0), 5)});
  P.add(F, {hands(object(Nil), G, 0, 8)});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].User, G);
  EXPECT_EQ(All[0].Access.Weight, 5);
}

TEST(PointerJoin, WhatIsHandedToTheUnknownIsCounted) {
  Program P;
  P.add(F, {hands(object(Nil), 0)});
  EXPECT_TRUE(P.run().empty());
  EXPECT_EQ(P.Result.Counts.ToUnknown, 1u);
}

TEST(PointerJoin, TooManyObjectsAreNone) {
  Program P;
  std::vector<PointerUse> Stores;
  for (uint64_t I = 0; I != 100; ++I)
    Stores.push_back(stores(object(Nil + 8 * I), field("S", 0)));
  P.add(G, Stores);
  P.add(F, {writes(field("S", 0))});
  EXPECT_TRUE(P.run().empty());
  EXPECT_EQ(P.Result.Counts.TooMany, 1u);
}

} // namespace
