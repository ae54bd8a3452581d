// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights along calls, against an oracle that follows every path of small
// random graphs.

#include "Propagate.h"
#include "linesman/Layout/Roles.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>
#include <set>

using namespace llvm;
using namespace linesman;
using namespace linesman::layout;
using facts::CallKind;

namespace {

/// Sums the products of weights over all paths.
void follow(const CallGraph &G, NodeIndex N, double Weight,
            std::vector<double> &Sums) {
  Sums[N] += Weight;
  for (const GraphEdge &E : G.Nodes[N].Edges)
    if (E.Kind == CallKind::Direct && E.Callee != NoNode)
      follow(G, E.Callee, Weight * E.Weight, Sums);
}

TEST(Propagate, AddsUpAllPaths) {
  std::mt19937 Random(271828);
  for (unsigned Round = 0; Round != 3000; ++Round) {
    SCOPED_TRACE(Round);
    CallGraph G;
    G.Nodes.resize(2 + Random() % 8);
    NodeIndex Count = G.Nodes.size();
    // Nodes are shuffled, so that callees are not always behind callers.
    std::vector<NodeIndex> Order(Count);
    for (NodeIndex N = 0; N != Count; ++N)
      Order[N] = N;
    std::shuffle(Order.begin(), Order.end(), Random);
    std::set<NodeIndex> Taken;
    for (NodeIndex Caller = 0; Caller != Count; ++Caller)
      for (unsigned E = Random() % 4; E != 0 && Caller + 1 != Count; --E) {
        NodeIndex Callee = Order[Caller + 1 + Random() % (Count - Caller - 1)];
        CallKind Kind = Random() % 5 ? CallKind::Direct : CallKind::Address;
        G.Nodes[Order[Caller]].Edges.push_back(
            {Kind, Callee, double(1 + Random() % 4) / 2});
      }
    Seed Entry{Order[0], 1, std::nullopt};
    std::vector<double> Expected(Count);
    follow(G, Entry.Node, 1, Expected);
    // What is handed on by what runs is an operation, once.
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (NodeIndex N = 0; N != Count; ++N)
        if (Expected[N] > 0)
          for (const GraphEdge &E : G.Nodes[N].Edges)
            if (E.Kind == CallKind::Address && Taken.insert(E.Callee).second) {
              follow(G, E.Callee, 1, Expected);
              Changed = true;
            }
    }
    std::vector<double> Found = Propagator(G).weigh(Entry);
    std::vector<bool> Reached = Propagator(G).reach(Entry);
    for (NodeIndex N = 0; N != Count; ++N) {
      EXPECT_NEAR(Found[N], std::min(Expected[N], MaxWeight), 1e-9 * MaxWeight);
      EXPECT_EQ(Reached[N], Expected[N] > 0);
    }
  }
}

TEST(Propagate, CirclesAreBoundedAndReached) {
  std::mt19937 Random(314159);
  for (unsigned Round = 0; Round != 3000; ++Round) {
    SCOPED_TRACE(Round);
    CallGraph G;
    G.Nodes.resize(1 + Random() % 8);
    for (GraphNode &Node : G.Nodes)
      for (unsigned E = Random() % 4; E != 0; --E)
        Node.Edges.push_back({CallKind::Direct,
                              NodeIndex(Random() % G.Nodes.size()),
                              double(1 + Random() % 100)});
    Propagator P(G);
    Seed Entry{0, 1, std::nullopt};
    std::vector<double> Found = P.weigh(Entry);
    std::vector<bool> Reached = P.reach(Entry);
    for (NodeIndex N = 0; N != G.Nodes.size(); ++N) {
      EXPECT_EQ(Reached[N], Found[N] > 0);
      EXPECT_LE(Found[N], MaxWeight);
    }
    EXPECT_GE(Found[0], 1);
  }
}

} // namespace
