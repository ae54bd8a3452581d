// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The join of machine code's pointers through members: a record is known by
// where it comes from, not by its type.

#include "PointerLiterals.h"
#include "gtest/gtest.h"

using namespace linesman;
using namespace linesman::layout;
using facts::Origin;
using facts::PointerUse;

namespace {

/// What the call at an address returned: of a library, unless G is known.
Origin call(uint64_t Address, uint64_t Callee = 0) {
  Origin Source{Origin::Result, Address, {}, {}, {}};
  if (Callee)
    Source.Function = function(Callee);
  return Source;
}
Origin loaded(uint64_t Address) { return {Origin::Loaded, Address, 8, {}, {}}; }
PointerUse puts(Origin Value, Origin Pointer, int32_t Distance) {
  PointerUse U = use(PointerUse::StoredThrough, Value);
  U.Destination = Pointer;
  U.Distance = Distance;
  return U;
}
PointerUse loads(Origin Pointer, int64_t Distance, uint64_t Address) {
  PointerUse U = at(Distance, use(PointerUse::LoadedThrough, Pointer));
  U.Destination = loaded(Address);
  return U;
}
PointerUse returns(Origin Value) { return use(PointerUse::Returned, Value); }

TEST(MemberPointers, ARecordIsFollowedToWhereItIsLoaded) {
  Program P;
  P.add(G, {puts(object(Nil), call(0x201), 8), returns(call(0x201))});
  P.add(F, {hands(call(0x101, G), H)});
  P.add(H, {loads(parameter(0), 8, 0x301), at(16, writes(loaded(0x301), 4))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].User, H);
  EXPECT_EQ(All[0].Object, Nil);
  EXPECT_EQ(All[0].Access.Offset, 16u);
  // Something without a symbol is the other half.
  EXPECT_EQ(All[0].Access.Weight, 2);
  EXPECT_TRUE(P.passage(All[0]).IsMay);
  EXPECT_FALSE(P.passage(All[0]).IsDoubtful);
  EXPECT_TRUE(P.passage(All[0]).IsMember);
  EXPECT_EQ(P.passage(All[0]).MemberOffset, 8u);
}

TEST(MemberPointers, OtherRecordsAndOtherMembersAreNot) {
  Program P;
  P.add(G, {puts(object(Nil), call(0x201), 8), returns(call(0x201))});
  P.add(F, {loads(call(0x101, G), 16, 0x111), writes(loaded(0x111)),
            loads(call(0x121), 8, 0x131), writes(loaded(0x131)),
            loads(parameter(0), 8, 0x141), writes(loaded(0x141))});
  EXPECT_TRUE(P.run().empty());
}

TEST(MemberPointers, EachCallAllocatesARecordOfItsOwn) {
  Program P;
  P.add(G, {returns(call(0x201))});
  P.add(F, {puts(object(Nil), call(0x101, G), 8)});
  P.add(H, {loads(call(0x301, G), 8, 0x311), writes(loaded(0x311))});
  EXPECT_TRUE(P.run().empty());
}

TEST(MemberPointers, WhoGivesTheRecordHasItToo) {
  Program P;
  P.add(G, {puts(object(Nil), parameter(0), 8)});
  // As the second of two in another record.
  P.add(F, {at(24, hands(call(0x101), G)), loads(call(0x101), 32, 0x111),
            writes(loaded(0x111))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].User, F);
}

TEST(MemberPointers, AStaticRecordHasWhatItsNameIsGiven) {
  Program P;
  P.add(0, {stores(object(Nil), variable(Tree, 8))});
  P.add(F, {hands(object(Tree), G)});
  P.add(G, {loads(parameter(0), 8, 0x201), writes(loaded(0x201))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Object, Nil);
}

TEST(MemberPointers, AVariableKeepsTheRecord) {
  Program P;
  P.add(G, {puts(object(Nil), variable(Tree, 0), 8)});
  P.add(F, {loads(variable(Tree, 0), 8, 0x101), writes(loaded(0x101))});
  EXPECT_EQ(P.run().size(), 1u);
}

TEST(MemberPointers, WhatElseIsStoredIsADoubt) {
  Program P;
  P.add(G, {puts(object(Nil), call(0x201), 8), puts(Origin(), call(0x201), 8),
            loads(call(0x201), 8, 0x211), writes(loaded(0x211))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_TRUE(P.passage(All[0]).IsDoubtful);
}

TEST(MemberPointers, ATestOfIdentityExcludes) {
  Program P;
  P.add(G, {puts(object(Nil), call(0x201), 8), loads(call(0x201), 8, 0x211),
            unless(Nil, at(16, writes(loaded(0x211))))});
  EXPECT_TRUE(P.run().empty());
}

TEST(MemberPointers, AListEnds) {
  Program P;
  // for (n = head; n; n = n->next) n->owner = &nil;
  P.add(F, {puts(object(Nil), loaded(0x101), 16),
            loads(loaded(0x101), 8, 0x101), loads(variable(Tree, 0), 8, 0x101),
            loads(loaded(0x101), 16, 0x111), writes(loaded(0x111))});
  auto All = P.run();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Object, Nil);
}

} // namespace
