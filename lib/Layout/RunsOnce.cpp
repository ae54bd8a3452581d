// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunsOnce.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

/// Longer chains to the place where threads start are rare, circles are not.
static constexpr unsigned MostCallers = 64;

static bool isMain(const GraphNode &Node) { return Node.Name == "main"; }

RunsOnce::RunsOnce(const CallGraph &Graph)
    : Graph(Graph), Incoming(Graph.Nodes.size()) {
  for (auto [N, Node] : enumerate(Graph.Nodes))
    for (const GraphEdge &E : Node.Edges)
      if (E.Callee != NoNode) {
        Calls &Ways = Incoming[E.Callee];
        ++Ways.Count;
        Ways.Caller = NodeIndex(N);
        Ways.IsOnePlace = E.Kind != CallKind::Address && !E.InLoop;
        Ways.Runs += E.Kind != CallKind::Address;
      }
  for (auto [N, Node] : enumerate(Graph.Nodes))
    for (const GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Direct && E.Callee != NoNode &&
          isMain(Graph.Nodes[E.Callee]) && Incoming[N].Runs)
        IsMainOnce = false;
}

bool RunsOnce::operator()(NodeIndex Function) const {
  for (unsigned I = 0; I <= MostCallers; ++I) {
    const Calls &Ways = Incoming[Function];
    if (isMain(Graph.Nodes[Function]))
      return IsMainOnce;
    if (Graph.Nodes[Function].IsStartUp)
      return Ways.Count == 0;
    if (Ways.Count != 1 || !Ways.IsOnePlace)
      return false;
    Function = Ways.Caller;
  }
  return false;
}

} // namespace linesman::layout
