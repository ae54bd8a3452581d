// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks over calls. What needs a lock has it in most places that call it; which
// lock it certainly has, all of them must tell.

#include "linesman/Layout/CallGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

/// A lock is followed over this many nested calls.
static constexpr unsigned MostHeldCalls = 2;

std::vector<bool> findLocked(const CallGraph &Graph) {
  size_t Count = Graph.Nodes.size();
  std::vector<bool> Locked(Count);
  for (unsigned I = 0; I != MostHeldCalls; ++I) {
    std::vector<uint32_t> Calls(Count), Held(Count);
    for (auto [N, Node] : enumerate(Graph.Nodes))
      for (const GraphEdge &E : Node.Edges)
        if (E.Kind == CallKind::Direct && E.Callee != NoNode) {
          ++Calls[E.Callee];
          Held[E.Callee] += E.IsLocked || Locked[N];
        }
    for (size_t N = 0; N != Count; ++N)
      Locked[N] = Held[N] && 2 * Held[N] >= Calls[N];
  }
  return Locked;
}

std::vector<uint64_t> findEntryLocks(const CallGraph &Graph,
                                     function_ref<bool(NodeIndex)> Counts) {
  // From "not called yet" down to the lock that all callers hold.
  constexpr uint64_t NotCalled = UINT64_MAX;
  size_t Count = Graph.Nodes.size();
  std::vector<uint64_t> Lock(Count, NotCalled);
  SmallVector<NodeIndex, 64> Worklist;
  auto Meet = [&](NodeIndex N, uint64_t Held) {
    if (Lock[N] == Held || Lock[N] == 0)
      return;
    Lock[N] = Lock[N] == NotCalled ? Held : 0;
    Worklist.push_back(N);
  };
  std::vector<bool> IsCalled(Count);
  for (const GraphNode &Node : Graph.Nodes)
    for (const GraphEdge &E : Node.Edges)
      if (E.Callee != NoNode)
        IsCalled[E.Callee] = true;
  for (auto [N, Node] : enumerate(Graph.Nodes)) {
    if (!IsCalled[N] || Node.IsExported || Node.LeavesLock)
      Meet(N, 0);
    for (const GraphEdge &E : Node.Edges)
      if (E.Callee != NoNode && E.Kind != CallKind::Direct)
        Meet(E.Callee, 0);
  }
  // What only start-up code enters calls with what it holds itself.
  for (NodeIndex N = 0; N != Count; ++N)
    if (!Counts(N))
      Lock[N] = 0;
  auto Pass = [&](NodeIndex N) {
    if (!Counts(N))
      return;
    for (const GraphEdge &E : Graph.Nodes[N].Edges)
      if (E.Callee != NoNode && E.Kind == CallKind::Direct)
        Meet(E.Callee, Lock[N] ? Lock[N] : E.HeldLock);
  };
  while (!Worklist.empty())
    Pass(Worklist.pop_back_val());
  for (uint64_t &L : Lock)
    if (L == NotCalled)
      L = 0;
  return Lock;
}

} // namespace linesman::layout
