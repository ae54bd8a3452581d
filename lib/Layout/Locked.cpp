// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What needs a lock has it in most places that call it.

#include "linesman/Layout/CallGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

/// A lock is held over so many calls.
static constexpr unsigned MostCalls = 2;

std::vector<bool> findLocked(const CallGraph &Graph) {
  size_t Count = Graph.Nodes.size();
  std::vector<bool> Locked(Count);
  for (unsigned I = 0; I != MostCalls; ++I) {
    std::vector<uint32_t> Calls(Count), Held(Count);
    for (auto [N, Node] : enumerate(Graph.Nodes))
      for (const GraphEdge &E : Node.Edges)
        if (E.Kind == CallKind::Direct && E.To != NoNode) {
          ++Calls[E.To];
          Held[E.To] += E.IsLocked || Locked[N];
        }
    for (size_t N = 0; N != Count; ++N)
      Locked[N] = Held[N] && 2 * Held[N] >= Calls[N];
  }
  return Locked;
}

} // namespace linesman::layout
