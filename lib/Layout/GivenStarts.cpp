// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One that hands its parameter on to such a function is one as well. What it
// hands on is not known of a call, but all its callers give it a function:
//
//     start(run)           Address run, Direct start       (one stage)
//       create(attr, run)  Direct create
//         pthread_create   Start of what is not known

#include "GivenStarts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

/// How deep libraries of threads are wrapped.
static constexpr unsigned MostWrappers = 3;

/// Whether each call of a function is given one; not where there is no call.
static std::vector<bool> findGiven(const CallGraph &Graph) {
  std::vector<bool> IsCalled(Graph.Nodes.size()), IsGiven(Graph.Nodes.size());
  std::vector<bool> IsBare(Graph.Nodes.size());
  for (const GraphNode &Node : Graph.Nodes) {
    SmallDenseSet<uint32_t> Giving;
    for (const GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Address && E.Callee != NoNode)
        Giving.insert(E.Stage);
    for (const GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Direct && E.Callee != NoNode) {
        IsCalled[E.Callee] = true;
        IsBare[E.Callee] = IsBare[E.Callee] || !Giving.contains(E.Stage);
      }
  }
  for (size_t N = 0; N != IsGiven.size(); ++N)
    IsGiven[N] = IsCalled[N] && !IsBare[N];
  return IsGiven;
}

std::vector<bool> findGivenStarts(const CallGraph &Graph) {
  std::vector<bool> Starts(Graph.Nodes.size());
  for (auto [N, Node] : enumerate(Graph.Nodes))
    Starts[N] = any_of(Node.Edges, [](const GraphEdge &E) {
      return E.Kind == CallKind::Start && E.Callee == NoNode;
    });
  if (!is_contained(Starts, true))
    return Starts;
  const std::vector<bool> IsGiven = findGiven(Graph);
  for (unsigned I = 0; I != MostWrappers; ++I) {
    std::vector<bool> More = Starts;
    for (auto [N, Node] : enumerate(Graph.Nodes))
      if (IsGiven[N] && any_of(Node.Edges, [&](const GraphEdge &E) {
            return E.Kind == CallKind::Direct && E.Callee != NoNode &&
                   Starts[E.Callee];
          }))
        More[N] = true;
    Starts = std::move(More);
  }
  return Starts;
}

} // namespace linesman::layout
