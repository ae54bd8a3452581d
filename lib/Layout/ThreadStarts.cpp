// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadStarts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

void ThreadStarts::spread(SmallVector<NodeIndex, 32> Worklist,
                          const IncomingEdges &Incoming) {
  while (!Worklist.empty())
    for (const IncomingEdge &Calling : Incoming[Worklist.pop_back_val()])
      if (Calling.Edge->Kind == CallKind::Direct && !Starts[Calling.Caller]) {
        Starts[Calling.Caller] = true;
        Worklist.push_back(Calling.Caller);
      }
}

void ThreadStarts::find(const CallGraph &Graph, const IncomingEdges &Incoming) {
  Starts.resize(Graph.Nodes.size());
  SmallVector<NodeIndex, 32> Found;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (any_of(Node.Edges,
               [](const GraphEdge &E) { return E.Kind == CallKind::Start; })) {
      Starts[N] = true;
      Found.push_back(N);
    }
  spread(std::move(Found), Incoming);
}

void ThreadStarts::followPointers(const CallGraph &Graph,
                                  const IncomingEdges &Incoming) {
  if (Graph.HasSlots)
    return;
  for (const GraphNode &Node : Graph.Nodes)
    for (const GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Address && E.Callee != NoNode && Starts[E.Callee])
        KeptAs.insert({E.Signature, E.Declared});
  SmallVector<NodeIndex, 32> Found;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (!Starts[N] &&
        any_of(Node.Edges, [&](const GraphEdge &E) { return at(E); })) {
      Starts[N] = true;
      Found.push_back(N);
    }
  spread(std::move(Found), Incoming);
}

bool ThreadStarts::any() const { return is_contained(Starts, true); }

bool ThreadStarts::at(const GraphEdge &E) const {
  switch (E.Kind) {
  case CallKind::Start:
    return true;
  case CallKind::Direct:
    return E.Callee != NoNode && Starts[E.Callee];
  case CallKind::Indirect:
    return any_of(KeptAs, [&](const auto &Kept) {
      auto [Signature, Declared] = Kept;
      return Signature == E.Signature &&
             (!Declared || !E.Declared || Declared == E.Declared);
    });
  case CallKind::Address:
    return false;
  }
  llvm_unreachable("unknown kind of call");
}

} // namespace linesman::layout
