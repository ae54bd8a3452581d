// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who runs what: roles and their weights on graphs from literals.

#include "linesman/Layout/Roles.h"
#include "GraphLiterals.h"
#include "Literals.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>

using namespace llvm;
using namespace linesman;
using namespace linesman::layout;
using facts::CallKind;

namespace {

Role roleNamed(const Graph &Built, StringRef Name,
               ArrayRef<NodeIndex> Entries = {}) {
  auto Assigned = assignRoles(Built.G, Entries);
  for (const Role &R : Assigned->Roles)
    if (R.Name == Name)
      return R;
  ADD_FAILURE() << "no role " << Name.str();
  return {};
}

TEST(Roles, WeightsMultiplyAlongCalls) {
  Graph G;
  G.start("main", "worker", true)
      .call("worker", "lookup", 16)
      .call("lookup", "lock", 2)
      .call("worker", "lock", 0.5);
  EXPECT_EQ(rolesOf(G, "lock"), (Weights{{"worker", 32.5}}));
}

TEST(Roles, CodeBeforeTheFirstThreadIsStartUp) {
  Graph G;
  G.call("main", "options")
      .call("main", "init_threads")
      .call("main", "serve")
      .call("init_threads", "prepare")
      .start("init_threads", "worker")
      .call("init_threads", "wait");
  EXPECT_EQ(rolesOf(G, "options"), Weights());
  EXPECT_EQ(rolesOf(G, "prepare"), Weights());
  EXPECT_EQ(rolesOf(G, "wait"), (Weights{{"main", 1}}));
  EXPECT_EQ(rolesOf(G, "serve"), (Weights{{"main", 1}}));
  EXPECT_EQ(rolesOf(G, "main"), (Weights{{"main*", 1}}));
  EXPECT_EQ(rolesOf(G, "init_threads"), (Weights{{"main*", 1}}));
}

TEST(Roles, CodeThatAlsoRunsLaterCounts) {
  Graph G;
  G.call("main", "set")
      .start("main", "worker")
      .call("worker", "set")
      .call("main", "set");
  EXPECT_EQ(rolesOf(G, "set"), (Weights{{"main", 1}, {"worker", 1}}));
}

TEST(Roles, ALoopThatStartsThreadsRunsBesideThem) {
  Graph G;
  G.edge("main", CallKind::Direct, "prepare", 4, true)
      .start("main", "worker", true)
      .together("main");
  EXPECT_EQ(rolesOf(G, "prepare"), (Weights{{"main", 4}}));
}

TEST(Roles, InitializersThatStartThreadsLeaveNoStartUpToMain) {
  Graph G;
  G.start("init", "early").call("main", "options").start("main", "worker");
  G.G.Nodes[G.node("init")].IsStartUp = true;
  EXPECT_EQ(rolesOf(G, "options"), (Weights{{"main", 1}}));
  EXPECT_EQ(rolesOf(G, "init"), Weights());
}

TEST(Roles, StartUpCodeMayCallMain) {
  auto instancesOf = [](StringRef Caller) {
    Graph G;
    G.take("_start", "wrap_main").take("_start", "main");
    G.call("wrap_main", "main").start("main", "worker");
    G.call(Caller, "main");
    return roleNamed(G, "worker").Count;
  };
  EXPECT_EQ(instancesOf("wrap_main"), Instances::One);
  EXPECT_EQ(instancesOf("main"), Instances::Many);
  EXPECT_EQ(instancesOf("worker"), Instances::Many);
}

TEST(Roles, WithoutAThreadNothingIsKnown) {
  Graph G;
  G.call("main", "work");
  EXPECT_EQ(rolesOf(G, "work"), (Weights{{"no roles", 0}}));
  EXPECT_EQ(rolesOf(G, "work", {G.node("work")}),
            (Weights{{"work", 1}, {"main", 1}}));
}

TEST(Roles, OneInstanceNeedsOneSiteThatRunsOnce) {
  Graph G;
  G.call("main", "init")
      .start("init", "one")
      .start("main", "looped", true)
      .start("main", "twice")
      .start("main", "twice")
      .start("one", "child")
      .start("looped", "grandchild")
      .call("main", "also")
      .call("one", "also")
      .start("also", "many_callers")
      .take("main", "handed")
      .start("handed", "by_callback");
  EXPECT_EQ(roleNamed(G, "one").Count, Instances::One);
  EXPECT_EQ(roleNamed(G, "child").Count, Instances::One);
  EXPECT_EQ(roleNamed(G, "main").Count, Instances::One);
  for (StringRef Many :
       {"looped", "twice", "grandchild", "many_callers", "by_callback"})
    EXPECT_EQ(roleNamed(G, Many).Count, Instances::Many) << Many.str();
  EXPECT_EQ(roleNamed(G, "twice").EntrySites, 2u);
}

TEST(Roles, CirclesDoNotRunOnce) {
  Graph G;
  G.start("main", "other").call("a", "b").call("b", "a").start("b", "worker");
  EXPECT_EQ(roleNamed(G, "worker").Count, Instances::Many);
}

TEST(Roles, OneInstanceDoesNotMeetItself) {
  Role Roles[] = {{RoleKind::StartUp, Instances::One, "", 0},
                  {RoleKind::Concurrent, Instances::Many, "", 0},
                  {RoleKind::Thread, Instances::One, "one", 1},
                  {RoleKind::Thread, Instances::Many, "many", 1}};
  for (RoleIndex R : {0, 1, 2, 3}) {
    EXPECT_FALSE(mayRunTogether(Roles, 0, R));
    EXPECT_FALSE(mayRunTogether(Roles, R, 0));
  }
  EXPECT_TRUE(mayRunTogether(Roles, 1, 1));
  EXPECT_FALSE(mayRunTogether(Roles, 2, 2));
  EXPECT_TRUE(mayRunTogether(Roles, 2, 3));
  EXPECT_TRUE(mayRunTogether(Roles, 3, 3));
}

TEST(Roles, CallbacksRunForThoseWhoTakeThem) {
  Graph G;
  G.start("main", "worker", true)
      .call("worker", "register", 8)
      .take("register", "table_ops")
      .take("table_ops", "handler")
      .call("handler", "leaf", 2);
  EXPECT_EQ(rolesOf(G, "handler"), (Weights{{"worker", 1}}));
  EXPECT_EQ(rolesOf(G, "leaf"), (Weights{{"worker", 2}}));
}

TEST(Roles, WhatStartUpHandsOnRunsWhereItsTypeIsCalled) {
  Graph G;
  G.take("main", "handler", 7)
      .take("main", "other", 9)
      .start("main", "worker", true)
      .start("main", "idle")
      .indirect("worker", 7);
  EXPECT_EQ(rolesOf(G, "handler"), (Weights{{"worker", 1}}));
  EXPECT_EQ(rolesOf(G, "other"), (Weights{{"?", 1}}));
}

TEST(Roles, ACallMeansPointersThatAreDeclaredAlike) {
  auto runsHandler = [](uint8_t Put, uint8_t Called, uint8_t OtherPut) {
    Graph G;
    G.start("main", "worker", true)
        .call("main", "prepare")
        .take("prepare", "handler", 7)
        .declared("prepare", Put)
        .take("prepare", "other", 7)
        .declared("prepare", OtherPut)
        .indirect("worker", 7)
        .declared("worker", Called);
    return rolesOf(G, "handler").count("worker") != 0;
  };
  EXPECT_TRUE(runsHandler(3, 3, 4));
  EXPECT_FALSE(runsHandler(3, 4, 4));
  // Where either is not known, it may be.
  EXPECT_TRUE(runsHandler(0, 4, 4));
  EXPECT_TRUE(runsHandler(3, 0, 4));
  // Nothing is put into a pointer of the type that is called.
  EXPECT_TRUE(runsHandler(3, 5, 4));
  // Something may be, of which that is not known.
  EXPECT_FALSE(runsHandler(3, 5, 0));
}

TEST(Roles, WhatALibraryWasGivenRunsInItsLoop) {
  Graph G;
  G.start("main", "worker", true)
      .start("main", "idle")
      .call("main", "lib_on_event")
      .take("main", "handler", 7)
      .together("main")
      .indirect("worker", 0)
      .indirect("idle", 7);
  EXPECT_EQ(rolesOf(G, "handler"), (Weights{{"main", 1}, {"worker", 1}}));
}

TEST(Roles, ATurnOfTheLoopThatWaitsIsAnOperation) {
  Graph G;
  G.start("main", "worker", true)
      .call("worker", "enter")
      .call("worker", "take", 32)
      .call("take", "lib_wait")
      .call("worker", "serve", 32)
      .together("worker");
  EXPECT_EQ(rolesOf(G, "serve"), (Weights{{"worker", 32}}));
  // Before the loop, as well as outside of its turns.
  EXPECT_EQ(rolesOf(G, "enter"), (Weights{{"worker", 1.0 / 32}}));
  G.G.Nodes[G.node("lib_wait")].WaitsForWork = true;
  EXPECT_EQ(rolesOf(G, "serve"), (Weights{{"worker", 1}}));
  EXPECT_EQ(rolesOf(G, "enter"), (Weights{{"worker", 1.0 / 32}}));
}

TEST(Roles, WhoWaitsOutsideOfALoopHasNoTurns) {
  Graph G;
  G.start("main", "worker", true)
      .call("worker", "lib_wait")
      .call("worker", "serve", 32);
  G.G.Nodes[G.node("lib_wait")].WaitsForWork = true;
  EXPECT_EQ(rolesOf(G, "serve"), (Weights{{"worker", 32}}));
}

TEST(Roles, AroundAChosenFunctionIsAThreadsStart) {
  Graph G;
  G.take("main", "job", 7)
      .start("main", "trampoline", true)
      .call("trampoline", "enter")
      .indirect("trampoline", 7);
  EXPECT_EQ(rolesOf(G, "enter"), (Weights{{"trampoline", 1.0 / 32}}));
  EXPECT_EQ(rolesOf(G, "job"), (Weights{{"trampoline", 1}}));
}

TEST(Roles, ThreadsAreStartedLessOftenThanTheyWork) {
  Graph G;
  G.start("main", "worker", true)
      .call("worker", "add_thread", 32)
      .call("worker", "may_add_thread", 32)
      .together("worker")
      .start("add_thread", "helper")
      .call("add_thread", "register")
      .edge("may_add_thread", CallKind::Start, "helper", 0.25)
      .call("may_add_thread", "look");
  EXPECT_EQ(rolesOf(G, "register"), (Weights{{"worker", 1.0 / 32}}));
  EXPECT_EQ(rolesOf(G, "look"), (Weights{{"worker", 32}}));
}

TEST(Roles, AStarterStartsWhatItIsHanded) {
  Graph G;
  G.start("create", "")
      .call("main", "create")
      .take("main", "worker")
      .together("main")
      .take("main", "handler");
  EXPECT_EQ(rolesOf(G, "worker"), (Weights{{"worker", 1}}));
  EXPECT_EQ(rolesOf(G, "handler"), (Weights{{"main", 1}}));
}

TEST(Roles, NamedEntriesAreStartedWhereTheyAreTaken) {
  Graph G;
  G.call("main", "options")
      .call("main", "lib_spawn")
      .take("main", "worker")
      .together("main");
  NodeIndex Worker = G.node("worker");
  EXPECT_EQ(rolesOf(G, "worker", Worker), (Weights{{"worker", 1}}));
  EXPECT_EQ(rolesOf(G, "options", Worker), Weights());
  EXPECT_EQ(roleNamed(G, "worker", Worker).Count, Instances::Many);
}

TEST(Roles, WhatNobodyCallsHasCallersOutside) {
  Graph G;
  G.start("main", "worker")
      .call("exported", "inner", 4)
      .call("worker", "both")
      .call("exported", "both", 2)
      .call("a", "b")
      .call("b", "a")
      .call("lib_gone", "inner");
  EXPECT_EQ(rolesOf(G, "inner"), (Weights{{"outside", 4}}));
  EXPECT_EQ(rolesOf(G, "both"), (Weights{{"worker", 1}, {"outside", 2}}));
  EXPECT_EQ(rolesOf(G, "a").count("outside"), 1u);
  EXPECT_EQ(rolesOf(G, "b").count("outside"), 1u);
}

TEST(Roles, RecursionIsBounded) {
  Graph G;
  G.start("main", "worker", true)
      .call("worker", "walk", 4)
      .call("walk", "visit", 1000)
      .call("visit", "walk", 1000)
      .call("visit", "leaf", 1e9)
      .call("leaf", "deep", 1e9);
  auto WeightOf = [&](StringRef F) { return rolesOf(G, F)["worker"]; };
  EXPECT_EQ(WeightOf("walk"), 4 * MaxPerCall);
  EXPECT_EQ(WeightOf("visit"), 4 * MaxPerCall);
  EXPECT_EQ(WeightOf("leaf"), MaxWeight);
  EXPECT_EQ(WeightOf("deep"), MaxWeight);
}

TEST(Roles, TheRareInACircleStaysRare) {
  Graph G;
  G.start("main", "worker", true)
      .call("worker", "run", 8)
      .call("run", "report", 1e-6)
      .call("report", "print", 32)
      .call("print", "run", 0.5)
      .call("report", "open", 1);
  auto WeightOf = [&](StringRef F) { return rolesOf(G, F)["worker"]; };
  EXPECT_DOUBLE_EQ(WeightOf("run"), 8);
  EXPECT_DOUBLE_EQ(WeightOf("report"), 8e-6);
  EXPECT_DOUBLE_EQ(WeightOf("print"), 8e-6 * 32);
  EXPECT_DOUBLE_EQ(WeightOf("open"), 8e-6);
}

/// The score asks roles: a line that one thread has to itself is no finding.
TEST(Roles, PrivateLinesAreNoFindings) {
  Scene S({object("own", 0x40, 8), object("shared", 0x80, 8),
           object("before", 0xc0, 8), object("alone", 0x100, 8)});
  constexpr uint64_t One = 0x1000, Many = 0x1001, Main = 0x1002;
  facts::Access Early = writes(1), Late = writes(1);
  Early.StagesBefore = 0;
  Late.StagesBefore = 1;
  S.fact(0x40, {writes(8), reads(8)}, One, "one")
      .fact(0x80, {writes(8)}, Many, "many")
      .fact(0xc0, {Early}, Main, "main")
      .fact(0xc0, {reads(8)}, Many, "many")
      .fact(0x100, {writes(4)}, One, "one")
      .fact(0x100, {reads(4)}, Many, "many");
  CallGraphBuilder Builder;
  facts::Calls C{{facts::FunctionRef::Address, Main}, {}};
  for (uint64_t Entry : {One, Many})
    C.Edges.push_back({facts::CallKind::Start,
                       {facts::FunctionRef::Address, Entry},
                       1,
                       Entry == Many,
                       Entry == Many,
                       0});
  Builder.addFunction({Main}, "main");
  Builder.addFunction({One}, "one");
  Builder.addFunction({Many}, "many");
  Builder.add(C);
  CallGraph G = std::move(Builder).finish();
  AccessTable Table = S.table();
  EXPECT_FALSE(Table.knowsThreads());
  Table.setRoles(*assignRoles(G, {}), G);
  EXPECT_TRUE(Table.knowsThreads());
  auto Findings = findHazards(S.image(), LineMap(S.image(), {64}), Table);
  ASSERT_EQ(Findings.size(), 2u);
  EXPECT_EQ(Findings[0].Id, "shared");
  EXPECT_EQ(Findings[0].Points.total(), 8);
  // One thread writes it, and meets only readers.
  EXPECT_EQ(Findings[1].Id, "alone");
  EXPECT_EQ(Findings[1].Points.total(), 4);
}

TEST(Roles, WhatOnlyPointersReachIsAGuess) {
  Graph G;
  G.G.HasSlots = true;
  G.take("table_", "task", 3)
      .take("main", "task", 3)
      .start("main", "worker", true)
      .call("worker", "next")
      .indirect("worker", 3);
  G.G.Nodes[G.node("table_")].IsStartUp = true;
  auto Assigned = assignRoles(G.G, {});
  auto IsGuess = [&](StringRef Function) {
    return any_of(Assigned->OfNode[G.node(Function)], [&](const RoleShare &S) {
      return Assigned->Roles[S.Role].Name == "worker" && S.IsGuess;
    });
  };
  EXPECT_TRUE(IsGuess("task"));
  EXPECT_FALSE(IsGuess("next"));
  // Types of functions are better than that.
  G.G.HasSlots = false;
  Assigned = assignRoles(G.G, {});
  EXPECT_FALSE(IsGuess("task"));
}

TEST(Roles, AddressesThatAThreadTakesAreAGuess) {
  Graph G;
  G.G.HasSlots = true;
  G.start("main", "worker", true)
      .call("worker", "next")
      .take("worker", "event", 3)
      .indirect("main", 3);
  auto Assigned = assignRoles(G.G, {});
  auto IsGuess = [&](StringRef Function) {
    return any_of(Assigned->OfNode[G.node(Function)], [&](const RoleShare &S) {
      return Assigned->Roles[S.Role].Name == "worker" && S.IsGuess;
    });
  };
  EXPECT_TRUE(IsGuess("event"));
  EXPECT_FALSE(IsGuess("next"));
}

TEST(Locked, WhatIsMostlyCalledWithALock) {
  Graph G;
  G.call("user", "inside").call("inside", "deep").call("deep", "deeper");
  G.call("other", "both").call("another", "both").call("third", "both");
  G.call("user", "both").call("user", "outside");
  for (StringRef Name : {"inside", "both"})
    for (GraphEdge &E : G.G.Nodes[G.node("user")].Edges)
      E.IsLocked |= E.Callee == G.node(Name);
  std::vector<bool> Is = findLocked(G.G);
  for (StringRef Name : {"inside", "deep"})
    EXPECT_TRUE(Is[G.node(Name)]) << Name.str();
  // One of four calls is made with a lock, or none; and two calls are enough.
  for (StringRef Name : {"both", "outside", "user", "deeper"})
    EXPECT_FALSE(Is[G.node(Name)]) << Name.str();
}

/// Edges to \p Callee are made with a lock.
void hold(Graph &G, StringRef Caller, StringRef Callee, uint64_t Lock) {
  for (GraphEdge &E : G.G.Nodes[G.node(Caller)].Edges)
    if (E.Callee == G.node(Callee))
      E.HeldLock = Lock;
}

TEST(Locked, WhatIsAlwaysEnteredWithOneLock) {
  Graph G;
  G.call("user", "inside").call("inside", "deep").call("deep", "inside");
  G.call("other", "inside").call("other", "mixed").call("user", "mixed");
  G.call("user", "given").take("user", "given", 3);
  G.call("user", "two").call("other", "two").call("user", "leaves");
  G.call("init", "deep");
  hold(G, "user", "inside", 0x40);
  hold(G, "other", "inside", 0x40);
  hold(G, "user", "mixed", 0x40);
  hold(G, "user", "given", 0x40);
  hold(G, "user", "two", 0x40);
  hold(G, "other", "two", 0x80);
  hold(G, "user", "leaves", 0x40);
  // What is taken inside does not hide what is held already.
  hold(G, "inside", "deep", 0x80);
  G.G.Nodes[G.node("leaves")].LeavesLock = true;
  std::vector<uint64_t> Is =
      findEntryLocks(G.G, [&](NodeIndex N) { return N != G.node("init"); });
  for (StringRef Name : {"inside", "deep"})
    EXPECT_EQ(Is[G.node(Name)], 0x40u) << Name.str();
  for (StringRef Name :
       {"user", "other", "mixed", "given", "two", "leaves", "init"})
    EXPECT_EQ(Is[G.node(Name)], 0u) << Name.str();
}

TEST(Roles, SamplesReplaceWeightsAndKeepShares) {
  Scene S({object("a", 0x40, 8)});
  S.fact(0x40, {writes(3), reads(1)}, 0x1000, "f")
      .fact(0x40, {writes(1)}, 0x2000, "g");
  AccessTable Table = S.table();
  Table.reweigh([](LinkAddress F) { return F.Value == 0x1000 ? 100.0 : 0; });
  const auto &Accesses = Table.objects()[0].Accesses;
  EXPECT_EQ(Accesses[0].Weight, 75);
  EXPECT_EQ(Accesses[1].Weight, 25);
  EXPECT_EQ(Accesses[2].Weight, 0.5);
  EXPECT_EQ(Table.concurrentWeight(Accesses[0]), 75);
}

TEST(CallGraph, JoinsByNameAndTakesOneOfSeveralCopies) {
  auto Named = [](StringRef Name) {
    return facts::FunctionRef{facts::FunctionRef::Name, facts::hashName(Name)};
  };
  CallGraphBuilder Builder;
  Builder.define({{facts::hashName("f"), {{0x10}, "f"}},
                  {facts::hashName("_Z1gi"), {{0x20}, "_Z1gi"}}});
  facts::Calls First{Named("f"), {}}, Second = First;
  First.Edges.push_back({facts::CallKind::Direct, Named("_Z1gi"), 2});
  First.Edges.push_back(
      {facts::CallKind::Direct, {facts::FunctionRef::Address, 0}});
  Second.Edges.push_back({facts::CallKind::Direct, Named("other"), 3});
  Builder.add(First);
  Builder.add(Second);
  CallGraph G = std::move(Builder).finish();
  NodeIndex F = G.find("f");
  ASSERT_NE(F, NoNode);
  EXPECT_EQ(G.Nodes[F].Address.Value, 0x10u);
  ASSERT_EQ(G.Nodes[F].Edges.size(), 1u) << "the discarded callee is dropped";
  EXPECT_EQ(G.Nodes[F].Edges[0].Callee, G.find("_Z1gi"));
  EXPECT_EQ(G.find("g(int)"), G.find("_Z1gi"));
  EXPECT_EQ(G.find("g"), G.find("_Z1gi"));
  EXPECT_EQ(G.find("h"), NoNode);
}

} // namespace
