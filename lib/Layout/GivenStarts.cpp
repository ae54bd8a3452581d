// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that hands its parameter on to such a function is one as well.
// What it hands on is not known of a call, but it is short, mostly makes the
// call, and all its callers give it a function:
//
//     start(run)           Address run, Direct start       (one stage)
//       create(attr, run)  Direct create
//         pthread_create   Start of what is not known
//
// Calls in loops say nothing: there all that is taken is of one stage.

#include "GivenStarts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

/// How deep libraries of threads are wrapped, and how much a layer does.
static constexpr unsigned MostLayers = 4;
static constexpr ptrdiff_t MostEdges = 16;

/// Whether each call of a function is given one; not where there is no call.
static std::vector<bool> findGiven(const CallGraph &Graph) {
  std::vector<bool> IsCalled(Graph.Nodes.size()), IsBare(Graph.Nodes.size());
  for (const GraphNode &Node : Graph.Nodes) {
    SmallSet<uint32_t, 8> Giving;
    for (const GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Address && E.Callee != NoNode)
        Giving.insert(E.Stage);
    for (const GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Direct && E.Callee != NoNode && !E.InLoop) {
        IsCalled[E.Callee] = true;
        IsBare[E.Callee] = IsBare[E.Callee] || !Giving.contains(E.Stage);
      }
  }
  for (size_t N = 0; N != IsCalled.size(); ++N)
    IsCalled[N] = IsCalled[N] && !IsBare[N];
  return IsCalled;
}

/// What is seldom done is for errors.
static constexpr double Often = 0.1;

static bool isShort(const GraphNode &Node) {
  return count_if(Node.Edges,
                  [](const GraphEdge &E) { return E.Weight >= Often; }) <=
             MostEdges &&
         none_of(Node.Edges, [](const GraphEdge &E) { return E.InLoop; });
}

std::vector<unsigned> findGivenStarts(const CallGraph &Graph) {
  std::vector<unsigned> Layers(Graph.Nodes.size());
  for (auto [N, Node] : enumerate(Graph.Nodes))
    Layers[N] = any_of(Node.Edges, [](const GraphEdge &E) {
      return E.Kind == CallKind::Start && E.Callee == NoNode;
    });
  if (!is_contained(Layers, 1u))
    return Layers;
  const std::vector<bool> IsGiven = findGiven(Graph);
  for (unsigned Layer = 2; Layer <= MostLayers; ++Layer)
    for (auto [N, Node] : enumerate(Graph.Nodes))
      if (!Layers[N] && IsGiven[N] && isShort(Node) &&
          any_of(Node.Edges, [&](const GraphEdge &E) {
            return E.Kind == CallKind::Direct && E.Callee != NoNode &&
                   E.Weight >= Often && Layers[E.Callee] == Layer - 1;
          }))
        Layers[N] = Layer;
  return Layers;
}

} // namespace linesman::layout
