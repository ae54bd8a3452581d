// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights along calls.
//
//  1. Strongly connected components of the calls (Tarjan 1972), which come
//     callees first.
//  2. From the callers' end, and inside a component from where it is entered:
//     calls that lead on add up as they do elsewhere, calls that lead back do
//     not. The rounds of a recursion are not known; a call in a loop that leads
//     back makes its callee as much heavier. Large programs have components of
//     thousands of functions: were all of them entered as often as the whole,
//     the rarest error path would weigh as much as the busiest loop.
//  3. A function whose address is taken is an operation of its own.

#include "Propagate.h"
#include "linesman/Layout/Roles.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <bitset>
#include <cmath>

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
        if (E.Kind != facts::CallKind::Direct || E.Callee == NoNode)
          continue;
        if (!Index[E.Callee])
          Enter(E.Callee);
        else if (OnStack[E.Callee])
          Low[N] = std::min(Low[N], Index[E.Callee]);
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

std::vector<bool> Propagator::reach(ArrayRef<Seed> Seeds, Ways Followed) const {
  std::vector<bool> Reached(Graph.Nodes.size());
  extend(Reached, Seeds, Followed);
  return Reached;
}

std::vector<NodeIndex> Propagator::extend(std::vector<bool> &Reached,
                                          ArrayRef<Seed> Seeds,
                                          Ways Followed) const {
  std::vector<NodeIndex> New;
  auto Enter = [&](NodeIndex N) {
    if (Reached[N])
      return;
    Reached[N] = true;
    New.push_back(N);
  };
  auto Follow = [&](NodeIndex Node, std::optional<uint32_t> After) {
    for (const GraphEdge &E : Graph.Nodes[Node].Edges)
      if ((E.Kind == facts::CallKind::Direct ||
           (E.Kind == facts::CallKind::Address &&
            Followed == Ways::CallsAndAddresses)) &&
          E.Callee != NoNode && isAfter(E, After))
        Enter(E.Callee);
  };
  for (const Seed &S : Seeds) {
    if (S.After)
      Follow(S.Node, S.After);
    else
      Enter(S.Node);
  }
  // What is entered grows meanwhile.
  for (size_t I = 0; I != New.size(); ++I)
    Follow(New[I], std::nullopt);
  return New;
}

/// The members that are entered, and what they call among themselves: in
/// reverse post-order, from the heaviest entry.
std::vector<NodeIndex> Propagator::orderMembers(ArrayRef<NodeIndex> Members,
                                                ArrayRef<double> Weight) const {
  std::vector<NodeIndex> Entries;
  copy_if(Members, std::back_inserter(Entries),
          [&](NodeIndex N) { return Weight[N] > 0; });
  if (Members.size() == 1)
    return Entries;
  llvm::sort(Entries, [&](NodeIndex A, NodeIndex B) {
    return std::pair(-Weight[A], A) < std::pair(-Weight[B], B);
  });
  DenseSet<NodeIndex> Seen;
  std::vector<NodeIndex> Order;
  std::vector<std::pair<NodeIndex, size_t>> Path; // node, next edge
  // The last entry first: reversed, the heaviest comes first.
  for (NodeIndex Entry : reverse(Entries)) {
    if (Seen.insert(Entry).second)
      Path.push_back({Entry, 0});
    while (!Path.empty()) {
      auto &[N, Edge] = Path.back();
      const auto &Edges = Graph.Nodes[N].Edges;
      if (Edge == Edges.size()) {
        Order.push_back(N);
        Path.pop_back();
        continue;
      }
      const GraphEdge &E = Edges[Edge++];
      if (E.Kind == facts::CallKind::Direct && E.Callee != NoNode &&
          ComponentOf[E.Callee] == ComponentOf[N] &&
          Seen.insert(E.Callee).second)
        Path.push_back({E.Callee, 0});
    }
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

std::vector<double> Propagator::weigh(ArrayRef<Seed> Seeds) const {
  std::vector<bool> Reached = reach(Seeds);
  std::vector<double> Weight(Graph.Nodes.size());
  std::vector<bool> IsOperation(Graph.Nodes.size());
  auto Pass = [&](NodeIndex Node, double Entries,
                  std::optional<uint32_t> After) {
    for (const GraphEdge &E : Graph.Nodes[Node].Edges) {
      if (E.Callee == NoNode || !isAfter(E, After))
        continue;
      if (E.Kind == facts::CallKind::Address)
        IsOperation[E.Callee] = true;
      else if (E.Kind == facts::CallKind::Direct &&
               (After || ComponentOf[E.Callee] != ComponentOf[Node]))
        Weight[E.Callee] += Entries * std::min(E.Weight, MaxPerCall);
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
        if (E.Kind == facts::CallKind::Address && E.Callee != NoNode)
          IsOperation[E.Callee] = true;
  for (const Seed &S : Seeds)
    if (!S.After)
      IsOperation[S.Node] = false; // counted by the seed
  for (NodeIndex N = 0; N != Graph.Nodes.size(); ++N)
    Weight[N] += IsOperation[N];

  auto MostEntries = [&](NodeIndex N) {
    return Graph.Nodes[N].IsLifeCycle ? SetUpWeight : MaxWeight;
  };
  std::vector<uint32_t> Position(Graph.Nodes.size());
  for (const auto &Members : reverse(Components)) {
    std::vector<NodeIndex> Order = orderMembers(Members, Weight);
    for (auto [I, N] : enumerate(Order))
      Position[N] = I;
    auto EachInside = [&](NodeIndex N, auto Visit) {
      for (const GraphEdge &E : Graph.Nodes[N].Edges)
        if (E.Kind == facts::CallKind::Direct && E.Callee != NoNode &&
            ComponentOf[E.Callee] == ComponentOf[N])
          Visit(E);
    };
    for (NodeIndex N : Order) {
      Weight[N] = std::min(Weight[N], MostEntries(N));
      EachInside(N, [&](const GraphEdge &E) {
        if (Position[E.Callee] > Position[N])
          Weight[E.Callee] += Weight[N] * std::min(E.Weight, MaxPerCall);
      });
    }
    // Calls that go back: the heaviest one, of what entered.
    std::vector<std::pair<NodeIndex, double>> Rounds;
    for (NodeIndex N : Order)
      EachInside(N, [&](const GraphEdge &E) {
        if (Position[E.Callee] <= Position[N] && E.Weight > 1)
          Rounds.push_back(
              {E.Callee, Weight[E.Callee] * std::min(E.Weight, MaxPerCall)});
      });
    for (auto [N, Most] : Rounds)
      Weight[N] = std::min(std::max(Weight[N], Most), MostEntries(N));
    for (NodeIndex N : Order)
      Pass(N, Weight[N], std::nullopt);
  }
  return Weight;
}

/// Linear counting: a seed is one bit of many, and of bits that are not set
/// follows how many were, most likely.
std::vector<double> Propagator::countReaching(ArrayRef<Seed> Seeds) const {
  constexpr size_t Bits = 512;
  constexpr double RareCall = 1.0 / 64;
  using Set = std::bitset<Bits>;
  std::vector<Set> Ways(Components.size());
  for (auto [I, S] : enumerate(Seeds))
    Ways[ComponentOf[S.Node]].set(I % Bits);
  for (size_t C = Components.size(); C-- != 0;)
    for (NodeIndex N : Components[C])
      for (const GraphEdge &E : Graph.Nodes[N].Edges)
        if (E.Kind == facts::CallKind::Direct && E.Callee != NoNode &&
            E.Weight >= RareCall)
          Ways[ComponentOf[E.Callee]] |= Ways[C];
  std::vector<double> Counts(Graph.Nodes.size());
  for (auto [N, C] : enumerate(ComponentOf)) {
    double Unset = std::max(0.5, double(Bits - Ways[C].count()));
    Counts[N] = Bits * std::log(Bits / Unset);
  }
  return Counts;
}

double enoughWays(double Functions) {
  constexpr double SmallShare = 1.0 / 20, Few = 8, LargeShare = 1.0 / 2000;
  return std::max(std::min(Few, SmallShare * Functions),
                  LargeShare * Functions);
}

} // namespace linesman::layout
