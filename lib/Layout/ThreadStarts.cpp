// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadStarts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

std::vector<bool> ThreadStarts::callersOf(const CallGraph &Graph,
                                          const IncomingEdges &Incoming,
                                          function_ref<bool(NodeIndex)> Is) {
  std::vector<bool> Found(Graph.Nodes.size());
  SmallVector<NodeIndex, 32> Worklist;
  for (NodeIndex N = 0; N != Graph.Nodes.size(); ++N)
    if (Is(N)) {
      Found[N] = true;
      Worklist.push_back(N);
    }
  while (!Worklist.empty())
    for (const IncomingEdge &Calling : Incoming[Worklist.pop_back_val()])
      if (Calling.Edge->Kind == CallKind::Direct && !Found[Calling.Caller]) {
        Found[Calling.Caller] = true;
        Worklist.push_back(Calling.Caller);
      }
  return Found;
}

static bool isStart(const GraphEdge &E) { return E.Kind == CallKind::Start; }

/// Whether a function starts one thread, and then always waits for its end.
static bool waitsForOwn(const CallGraph &Graph, const GraphNode &Node) {
  constexpr double Always = 0.75;
  const auto Start = find_if(Node.Edges, isStart);
  return count_if(Node.Edges, isStart) == 1 && !Start->InLoop &&
         any_of(Node.Edges, [&](const GraphEdge &E) {
           return E.Kind == CallKind::Direct && E.Callee != NoNode &&
                  Graph.Nodes[E.Callee].JoinsThread && !E.InLoop &&
                  E.Stage > Start->Stage && E.Weight >= Always * Start->Weight;
         });
}

void ThreadStarts::find(const CallGraph &Graph, const IncomingEdges &Incoming) {
  auto Is = [&](NodeIndex N) { return any_of(Graph.Nodes[N].Edges, isStart); };
  Starts = callersOf(Graph, Incoming, Is);
  Lasting = callersOf(Graph, Incoming, [&](NodeIndex N) {
    return Is(N) && !waitsForOwn(Graph, Graph.Nodes[N]);
  });
}

void ThreadStarts::leaveOutJoined(NodeIndex Function) {
  if (Lasting[Function])
    Starts = Lasting;
}

void ThreadStarts::followPointers(const CallGraph &Graph,
                                  const IncomingEdges &Incoming) {
  if (Graph.HasSlots)
    return;
  for (const GraphNode &Node : Graph.Nodes)
    for (const GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Address && E.Callee != NoNode && Starts[E.Callee])
        KeptAs.insert({E.Signature, E.Declared});
  Starts = callersOf(Graph, Incoming, [&](NodeIndex N) {
    return Starts[N] || any_of(Graph.Nodes[N].Edges,
                               [&](const GraphEdge &E) { return at(E); });
  });
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
