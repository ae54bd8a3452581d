// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What main does before its first thread starts.

#include "GraphLiterals.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman;
using namespace linesman::layout;

namespace {

TEST(ThreadStarts, MainStartsThreadsThroughAPointer) {
  auto rolesBefore = [](uint8_t Put, uint8_t Called) {
    Graph G;
    G.call("main", "before")
        .indirect("main", 7)
        .declared("main", Called)
        .call("main", "serve")
        .take("start_up", "make_pool", 7)
        .declared("start_up", Put)
        .start("make_pool", "worker", true);
    G.G.Nodes[G.node("start_up")].IsStartUp = true;
    EXPECT_EQ(rolesOf(G, "serve"), (Weights{{"main", 1}}));
    return rolesOf(G, "before");
  };
  const Weights StartUp, Main{{"main", 1}};
  EXPECT_EQ(rolesBefore(3, 3), StartUp);
  EXPECT_EQ(rolesBefore(3, 0), StartUp);
  // No call may start a thread: nobody knows when main does.
  EXPECT_EQ(rolesBefore(3, 4), Main);
}

TEST(ThreadStarts, AThreadThatIsJoinedAtOnceIsGone) {
  auto rolesBefore = [](bool IsJoined, bool AreTwo) {
    Graph G;
    G.call("main", "warm_up")
        .call("main", "before")
        .call("main", "serve")
        .start("serve", "worker", true)
        .start("warm_up", "helper");
    if (AreTwo)
      G.start("warm_up", "helper");
    G.call("warm_up", "lib_join");
    G.G.Nodes[G.node("lib_join")].JoinsThread = IsJoined;
    return rolesOf(G, "before");
  };
  const Weights StartUp, Main{{"main", 1}};
  EXPECT_EQ(rolesBefore(true, false), StartUp);
  EXPECT_EQ(rolesBefore(false, false), Main);
  // Perhaps only one of them is waited for.
  EXPECT_EQ(rolesBefore(true, true), Main);
}

TEST(ThreadStarts, TheOnlyThreadsCountAlsoWhereTheyAreJoined) {
  Graph G;
  G.call("main", "early")
      .call("main", "compute")
      .call("main", "late")
      .start("compute", "helper")
      .call("compute", "lib_join");
  G.G.Nodes[G.node("lib_join")].JoinsThread = true;
  EXPECT_EQ(rolesOf(G, "early"), Weights());
  EXPECT_EQ(rolesOf(G, "late"), (Weights{{"main", 1}}));
}

} // namespace
