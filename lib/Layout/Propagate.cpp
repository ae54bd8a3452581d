// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights along calls.
//
//  1. Strongly connected components of the calls (Tarjan 1972), which come
//     callees first.
//  2. From the callers' end: what enters a component enters each member of it,
//     times the heaviest call inside it that leads there, within bounds. The
//     rounds of a recursion are not known, that it is one operation is.
//  3. A function whose address is taken is an operation of its own.

#include "Propagate.h"
#include "linesman/Layout/Roles.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace linesman::layout {

Propagator::Propagator(const CallGraph &Graph)
    : Graph(Graph), ComponentOf(Graph.Nodes.size(), UINT32_MAX) {
  findComponents();
}

/// Without recursion: call chains of large programs are long.
void Propagator::findComponents() {
  size_t Count = Graph.Nodes.size();
  std::vector<uint32_t> Index(Count, 0), Low(Count, 0);
  std::vector<bool> OnStack(Count);
  std::vector<NodeIndex> Stack;
  std::vector<std::pair<NodeIndex, size_t>> Path; // node, next edge
  uint32_t Next = 1;
  auto Enter = [&](NodeIndex N) {
    Index[N] = Low[N] = Next++;
    Stack.push_back(N);
    OnStack[N] = true;
    Path.push_back({N, 0});
  };
  for (NodeIndex Root = 0; Root != Count; ++Root) {
    if (!Index[Root])
      Enter(Root);
    while (!Path.empty()) {
      auto &[N, Edge] = Path.back();
      const auto &Edges = Graph.Nodes[N].Edges;
      if (Edge != Edges.size()) {
        const GraphEdge &E = Edges[Edge++];
        if (E.Kind != facts::CallKind::Direct || E.To == NoNode)
          continue;
        if (!Index[E.To])
          Enter(E.To);
        else if (OnStack[E.To])
          Low[N] = std::min(Low[N], Index[E.To]);
        continue;
      }
      NodeIndex Done = N;
      Path.pop_back();
      if (!Path.empty())
        Low[Path.back().first] = std::min(Low[Path.back().first], Low[Done]);
      if (Low[Done] != Index[Done])
        continue;
      auto &Members = Components.emplace_back();
      NodeIndex Member;
      do {
        Member = Stack.back();
        Stack.pop_back();
        OnStack[Member] = false;
        ComponentOf[Member] = Components.size() - 1;
        Members.push_back(Member);
      } while (Member != Done);
    }
  }
}

std::vector<bool> Propagator::reach(ArrayRef<Seed> Seeds) const {
  std::vector<bool> Reached(Graph.Nodes.size());
  SmallVector<NodeIndex, 64> Worklist;
  auto Follow = [&](NodeIndex From, std::optional<uint32_t> After) {
    for (const GraphEdge &E : Graph.Nodes[From].Edges)
      if ((E.Kind == facts::CallKind::Direct ||
           E.Kind == facts::CallKind::Address) &&
          E.To != NoNode && isAfter(E, After) && !Reached[E.To]) {
        Reached[E.To] = true;
        Worklist.push_back(E.To);
      }
  };
  for (const Seed &S : Seeds) {
    if (S.After) {
      Follow(S.Node, S.After);
    } else if (!Reached[S.Node]) {
      Reached[S.Node] = true;
      Worklist.push_back(S.Node);
    }
  }
  while (!Worklist.empty())
    Follow(Worklist.pop_back_val(), std::nullopt);
  return Reached;
}

std::vector<double> Propagator::weigh(ArrayRef<Seed> Seeds) const {
  std::vector<bool> Reached = reach(Seeds);
  std::vector<double> Weight(Graph.Nodes.size());
  std::vector<bool> IsOperation(Graph.Nodes.size());
  auto Pass = [&](NodeIndex From, double Entries,
                  std::optional<uint32_t> After) {
    for (const GraphEdge &E : Graph.Nodes[From].Edges) {
      if (E.To == NoNode || !isAfter(E, After))
        continue;
      if (E.Kind == facts::CallKind::Address)
        IsOperation[E.To] = true;
      else if (E.Kind == facts::CallKind::Direct &&
               (After || ComponentOf[E.To] != ComponentOf[From]))
        Weight[E.To] += Entries * std::min(E.Weight, MaxPerCall);
    }
  };
  // Addresses first: who is an operation must be known before it passes on.
  for (const Seed &S : Seeds) {
    if (S.After)
      Pass(S.Node, S.Weight, S.After);
    else
      Weight[S.Node] += S.Weight;
  }
  for (NodeIndex N = 0; N != Graph.Nodes.size(); ++N)
    if (Reached[N])
      for (const GraphEdge &E : Graph.Nodes[N].Edges)
        if (E.Kind == facts::CallKind::Address && E.To != NoNode)
          IsOperation[E.To] = true;
  for (const Seed &S : Seeds)
    if (!S.After)
      IsOperation[S.Node] = false; // counted by the seed
  for (NodeIndex N = 0; N != Graph.Nodes.size(); ++N)
    Weight[N] += IsOperation[N];

  for (const auto &Members : reverse(Components)) {
    double Entries = 0;
    for (NodeIndex N : Members)
      Entries += Weight[N];
    if (Entries == 0)
      continue;
    Entries = std::min(Entries, MaxWeight);
    for (NodeIndex N : Members)
      Weight[N] = Entries;
    for (NodeIndex N : Members)
      for (const GraphEdge &E : Graph.Nodes[N].Edges)
        if (E.Kind == facts::CallKind::Direct && E.To != NoNode &&
            ComponentOf[E.To] == ComponentOf[N])
          Weight[E.To] = std::max(
              Weight[E.To],
              std::min(Entries * std::min(E.Weight, MaxPerCall), MaxWeight));
    for (NodeIndex N : Members)
      Pass(N, Weight[N], std::nullopt);
  }
  return Weight;
}

} // namespace linesman::layout
