// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that begin in a runner, which calls what who starts it was given.

#include "GraphLiterals.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman;
using namespace linesman::layout;
using facts::CallKind;

namespace {

constexpr uint8_t TypeOfRun = 7, OtherType = 8;

/// main gives `work` to `create`, which starts `runner`; `callback`, of the
/// same type, is for somebody else.
class RunnerGraph : public Graph {
public:
  explicit RunnerGraph(uint8_t Called = TypeOfRun) {
    take("main", "work", TypeOfRun).call("main", "create").together("main");
    take("main", "callback", TypeOfRun).start("create", "runner");
    call("runner", "tell").indirect("runner", Called);
  }
  bool isStarted() {
    return rolesOf(*this, "work") == Weights{{"work", 1}} &&
           rolesOf(*this, "callback") == Weights{{"main", 1}} &&
           rolesOf(*this, "tell") == Weights{{"runner", 1.0 / 32}};
  }
  /// As any function of the type that the runner may call.
  bool isCalled() {
    return rolesOf(*this, "work").count("runner") == 1 &&
           rolesOf(*this, "callback").count("runner") == 1;
  }
};

TEST(GivenStarts, AThreadRunsWhatTheStarterWasGiven) {
  EXPECT_TRUE(RunnerGraph().isStarted());
}

TEST(GivenStarts, LayersHandItOn) {
  RunnerGraph G;
  G.take("main", "more", TypeOfRun).call("main", "start").together("main");
  G.call("start", "middle").call("middle", "create");
  EXPECT_TRUE(G.isStarted());
  EXPECT_EQ(rolesOf(G, "more"), (Weights{{"more", 1}}));

  // What a layer gives besides is of another type.
  RunnerGraph Cleaning;
  Cleaning.take("main", "more", TypeOfRun).call("main", "start");
  Cleaning.together("main");
  Cleaning.take("start", "cleanup", OtherType).call("start", "create");
  Cleaning.together("start");
  EXPECT_TRUE(Cleaning.isStarted());
  EXPECT_EQ(rolesOf(Cleaning, "more"), (Weights{{"more", 1}}));
  EXPECT_EQ(rolesOf(Cleaning, "cleanup").count("cleanup"), 0U);

  // A layer that is called without a function gives none on.
  RunnerGraph Open;
  Open.take("main", "more", TypeOfRun).call("main", "start").together("main");
  Open.call("start", "create").call("main", "start");
  EXPECT_TRUE(Open.isCalled());
}

TEST(GivenStarts, OnlyOfTheTypeThatTheRunnerCalls) {
  RunnerGraph P;
  P.take("main", "more", TypeOfRun).call("main", "create").together("main");
  P.take("main", "done", OtherType).together("main");
  EXPECT_EQ(rolesOf(P, "more"), (Weights{{"more", 1}}));
  EXPECT_EQ(rolesOf(P, "done"), (Weights{{"main", 1}}));
  EXPECT_EQ(rolesOf(P, "callback"), (Weights{{"main", 1}}));
}

TEST(GivenStarts, NotWhereACallGivesNothing) {
  RunnerGraph P;
  P.call("main", "create");
  EXPECT_TRUE(P.isCalled());
}

TEST(GivenStarts, NotOfARunnerThatOthersCall) {
  RunnerGraph Called, Taken;
  Called.call("main", "runner");
  EXPECT_TRUE(Called.isCalled());
  Taken.take("main", "runner", TypeOfRun);
  EXPECT_TRUE(Taken.isCalled());
}

TEST(GivenStarts, NotOfACallInALoopOrOfTwo) {
  RunnerGraph Looping, Two;
  Looping.G.Nodes[Looping.node("runner")].Edges.back().InLoop = true;
  EXPECT_TRUE(Looping.isCalled());
  Two.indirect("runner", TypeOfRun);
  EXPECT_TRUE(Two.isCalled());
}

TEST(GivenStarts, WhoElseStartsTheRunnerMayHaveAnything) {
  RunnerGraph P;
  P.start("main", "runner");
  EXPECT_EQ(rolesOf(P, "callback").count("runner"), 1U);
}

TEST(GivenStarts, OneAtATimeBehindAFlag) {
  auto countOf = [](Graph &G, StringRef Name) {
    auto Assigned = assignRoles(G.G, {});
    for (const Role &R : Assigned->Roles)
      if (R.Name == Name)
        return R.Count;
    ADD_FAILURE() << "no thread";
    return Instances::Many;
  };
  auto instancesOf = [&](uint64_t First, uint64_t Second) {
    RunnerGraph G;
    G.start("main", "worker").call("worker", "ask").call("worker", "ask");
    for (uint64_t Flag : {First, Second}) {
      G.take("ask", "again", TypeOfRun).call("ask", "create").together("ask");
      G.G.Nodes[G.node("ask")].Edges.back().OnceFlag = Flag;
    }
    return countOf(G, "again");
  };
  EXPECT_EQ(instancesOf(0x300, 0x300), Instances::One);
  EXPECT_EQ(instancesOf(0x300, 0x308), Instances::Many);
  EXPECT_EQ(instancesOf(0x300, 0), Instances::Many);
  EXPECT_EQ(instancesOf(0, 0), Instances::Many);
  // Several at a time.
  Graph Pool;
  Pool.start("main", "worker", true);
  Pool.G.Nodes[Pool.node("main")].Edges.back().OnceFlag = 0x300;
  EXPECT_EQ(countOf(Pool, "worker"), Instances::Many);
  // A flag of each thread's own.
  EXPECT_EQ(instancesOf(OwnFlag::at(8), OwnFlag::at(8)), Instances::Many);
}

TEST(GivenStarts, ACallInALoopStartsTheOnlyFunctionThere) {
  Graph G;
  G.edge("main", CallKind::Address, "work", 4, true, TypeOfRun);
  G.edge("main", CallKind::Direct, "create", 4, true).together("main");
  G.take("main", "once", TypeOfRun).call("main", "create").together("main");
  G.start("create", "runner").indirect("runner", TypeOfRun);
  EXPECT_EQ(rolesOf(G, "work"), (Weights{{"work", 1}}));
}

} // namespace
