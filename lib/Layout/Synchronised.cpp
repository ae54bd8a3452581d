// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signs that threads share what a function touches. Which lock it is for is not
// told: a lock that a caller takes may be left before the call.

#include "linesman/Layout/CallGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

/// A lock is taken so many wrappers deep, and held over so many calls.
static constexpr unsigned MostWrappers = 2, MostCalls = 2;

std::vector<bool> findSynchronised(const CallGraph &Graph) {
  size_t Count = Graph.Nodes.size();
  // Who takes a lock and does not leave it, takes it for his caller.
  std::vector<bool> Takes(Count), Leaves(Count);
  for (auto [N, Node] : enumerate(Graph.Nodes)) {
    Takes[N] = Node.TakesLock;
    Leaves[N] = Node.LeavesLock;
  }
  for (unsigned I = 0; I != MostWrappers; ++I) {
    std::vector<bool> Took = Takes, Left = Leaves;
    for (auto [N, Node] : enumerate(Graph.Nodes))
      for (const GraphEdge &E : Node.Edges)
        if (E.Kind == CallKind::Direct && E.To != NoNode) {
          Takes[N] = Takes[N] || (Took[E.To] && !Left[E.To]);
          Leaves[N] = Leaves[N] || (Left[E.To] && !Took[E.To]);
        }
  }
  std::vector<bool> Is = Takes, Holds = Takes;
  for (unsigned I = 0; I != MostCalls; ++I) {
    // What needs a lock has it in most places that call it.
    std::vector<uint32_t> Calls(Count), Held(Count);
    for (auto [N, Node] : enumerate(Graph.Nodes))
      for (const GraphEdge &E : Node.Edges)
        if (E.Kind == CallKind::Direct && E.To != NoNode) {
          ++Calls[E.To];
          Held[E.To] += Holds[N];
        }
    for (size_t N = 0; N != Count; ++N) {
      Holds[N] = Held[N] && 2 * Held[N] >= Calls[N];
      Is[N] = Is[N] || Holds[N];
    }
  }
  for (auto [N, Node] : enumerate(Graph.Nodes))
    Is[N] = Is[N] || Node.IsAtomic;
  // Where nobody takes a lock, that this one does not tells nothing.
  if (!is_contained(Is, true))
    Is.assign(Count, true);
  return Is;
}

} // namespace linesman::layout
