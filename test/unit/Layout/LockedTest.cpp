// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores of what is done while a lock is held. Which function is entered with
// one is in RolesTest.

#include "Literals.h"
#include "linesman/Layout/CallGraph.h"
#include "gtest/gtest.h"

using namespace linesman;
using namespace linesman::layout;

namespace {

/// Two threads of many, "one" and "two", which take a lock so often.
struct Holders {
  Scene S{{object("lock", 0x40, 40), object("data", 0x80, 16),
           object("next", 0x90, 16)}};
  CallGraph G;

  explicit Holders(double Takes) {
    CallGraphBuilder Builder;
    facts::Calls Main{{facts::FunctionRef::Address, 0x1000}, {}};
    for (uint64_t Entry : {0x2000, 0x3000})
      Main.Edges.push_back({facts::CallKind::Start,
                            {facts::FunctionRef::Address, Entry},
                            1,
                            1,
                            true,
                            0});
    Builder.addFunction({0x1000}, "main");
    Builder.add(Main);
    for (uint64_t Entry : {0x2000, 0x3000})
      Builder.add({{facts::FunctionRef::Address, Entry}, {}, {{0x40, Takes}}});
    G = std::move(Builder).finish();
  }
  static facts::Access held(facts::Access A) {
    A.HeldLock = 0x40;
    return A;
  }
  LineFinding only() {
    AccessTable Table = S.table();
    Table.setRoles(*assignRoles(G, {}), G);
    auto Findings = findHazards(S.image(), LineMap(S.image(), {64}), Table);
    EXPECT_EQ(Findings.size(), 1u);
    return Findings[0];
  }
};

TEST(Locks, AreHandedOverOnceEachTimeThatTheyAreTaken) {
  Holders H(3);
  // Also all fields of the line together.
  H.S.fact(0x80, {H.held(writes(1000))}, 0x2000)
      .fact(0x90, {H.held(writes(1000)), H.held(reads(500))}, 0x2000);
  LineFinding F = H.only();
  EXPECT_DOUBLE_EQ(F.Points.total(), 3);
  EXPECT_EQ(std::get<VariableHazard>(F.About).BehindLock, 0x40u);
}

TEST(Locks, RarelyUsedDataCountAsBefore) {
  Holders H(100);
  H.S.fact(0x80, {H.held(writes(2))}, 0x2000);
  EXPECT_DOUBLE_EQ(H.only().Points.total(), 2);
}

TEST(Locks, BoundOnlyThoseWhoHoldThem) {
  Holders H(3);
  H.S.fact(0x80, {H.held(writes(1000))}, 0x2000)
      .fact(0x80, {reads(1000)}, 0x3000);
  LineFinding F = H.only();
  EXPECT_DOUBLE_EQ(F.Points.total(), 3 + 1000);
  EXPECT_EQ(std::get<VariableHazard>(F.About).BehindLock, 0u);
}

TEST(Locks, TheWordItselfIsNotBehindIt) {
  Holders H(3);
  // Leaving it is done while it is held.
  H.S.fact(0x40, {atomics(1000, 0, 16), H.held(atomics(1000, 0, 16))}, 0x2000)
      .fact(0x40, {reads(1000, 32, 8)}, 0x3000);
  EXPECT_GE(H.only().Points.total(), 1000);
}

TEST(Locks, SamplesSayNothingOfThem) {
  Holders H(3);
  H.S.fact(0x80, {H.held(writes(1000))}, 0x2000);
  AccessTable Table = H.S.table();
  Table.setRoles(*assignRoles(H.G, {}), H.G);
  Table.reweigh([](LinkAddress) { return 50.0; });
  auto Findings = findHazards(H.S.image(), LineMap(H.S.image(), {64}), Table);
  ASSERT_EQ(Findings.size(), 1u);
  EXPECT_DOUBLE_EQ(Findings[0].Points.total(), 50);
}

} // namespace
