// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that begin in a trampoline, which calls what who starts it was given.

#include "GraphLiterals.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman;
using namespace linesman::layout;
using facts::CallKind;

namespace {

constexpr uint8_t TypeOfRun = 7, OtherType = 8;

/// main gives `work` to `create`, which starts `trampoline`; `callback`, of the
/// same type, is for somebody else.
class TrampolineGraph : public Graph {
public:
  explicit TrampolineGraph(uint8_t Called = TypeOfRun) {
    take("main", "work", TypeOfRun).call("main", "create").together("main");
    take("main", "callback", TypeOfRun).start("create", "trampoline");
    call("trampoline", "tell").indirect("trampoline", Called);
  }
  bool isStarted() {
    return rolesOf(*this, "work") == Weights{{"work", 1}} &&
           rolesOf(*this, "callback") == Weights{{"main", 1}} &&
           rolesOf(*this, "tell") == Weights{{"trampoline", 1.0 / 32}};
  }
  /// As any function of the type that the trampoline may call.
  bool isCalled() {
    return rolesOf(*this, "work").count("trampoline") == 1 &&
           rolesOf(*this, "callback").count("trampoline") == 1;
  }
};

TEST(GivenStarts, AThreadRunsWhatTheStarterWasGiven) {
  EXPECT_TRUE(TrampolineGraph().isStarted());
}

TEST(GivenStarts, LayersHandItOn) {
  TrampolineGraph G;
  G.take("main", "more", TypeOfRun).call("main", "start").together("main");
  G.call("start", "middle").call("middle", "create");
  EXPECT_TRUE(G.isStarted());
  EXPECT_EQ(rolesOf(G, "more"), (Weights{{"more", 1}}));

  // What a layer gives besides is of another type.
  TrampolineGraph Cleaning;
  Cleaning.take("main", "more", TypeOfRun).call("main", "start");
  Cleaning.together("main");
  Cleaning.take("start", "cleanup", OtherType).call("start", "create");
  Cleaning.together("start");
  EXPECT_TRUE(Cleaning.isStarted());
  EXPECT_EQ(rolesOf(Cleaning, "more"), (Weights{{"more", 1}}));
  EXPECT_EQ(rolesOf(Cleaning, "cleanup").count("cleanup"), 0U);

  // A layer that is called without a function gives none on.
  TrampolineGraph Open;
  Open.take("main", "more", TypeOfRun).call("main", "start").together("main");
  Open.call("start", "create").call("main", "start");
  EXPECT_TRUE(Open.isCalled());
}

TEST(GivenStarts, OnlyOfTheTypeThatTheTrampolineCalls) {
  TrampolineGraph P;
  P.take("main", "more", TypeOfRun).call("main", "create").together("main");
  P.take("main", "done", OtherType).together("main");
  EXPECT_EQ(rolesOf(P, "more"), (Weights{{"more", 1}}));
  EXPECT_EQ(rolesOf(P, "done"), (Weights{{"main", 1}}));
  EXPECT_EQ(rolesOf(P, "callback"), (Weights{{"main", 1}}));
}

TEST(GivenStarts, NotWhereACallGivesNothing) {
  TrampolineGraph P;
  P.call("main", "create");
  EXPECT_TRUE(P.isCalled());
}

TEST(GivenStarts, NotOfATrampolineThatOthersCall) {
  TrampolineGraph Called, Taken;
  Called.call("main", "trampoline");
  EXPECT_TRUE(Called.isCalled());
  Taken.take("main", "trampoline", TypeOfRun);
  EXPECT_TRUE(Taken.isCalled());
}

TEST(GivenStarts, NotOfACallInALoopOrOfTwo) {
  TrampolineGraph Looping, Two;
  Looping.G.Nodes[Looping.node("trampoline")].Edges.back().InLoop = true;
  EXPECT_TRUE(Looping.isCalled());
  Two.indirect("trampoline", TypeOfRun);
  EXPECT_TRUE(Two.isCalled());
}

TEST(GivenStarts, ALibraryThatCallsBackIsNoCallOfWhatWasGiven) {
  TrampolineGraph Library(LibraryCallback), WithLibrary;
  EXPECT_EQ(rolesOf(Library, "work").count("work"), 0U);
  WithLibrary.indirect("trampoline", LibraryCallback);
  EXPECT_TRUE(WithLibrary.isStarted());
}

TEST(GivenStarts, WhoElseStartsTheTrampolineMayHaveAnything) {
  TrampolineGraph P;
  P.start("main", "trampoline");
  EXPECT_EQ(rolesOf(P, "callback").count("trampoline"), 1U);
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
    TrampolineGraph G;
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
  G.start("create", "trampoline").indirect("trampoline", TypeOfRun);
  EXPECT_EQ(rolesOf(G, "work"), (Weights{{"work", 1}}));
}

} // namespace
