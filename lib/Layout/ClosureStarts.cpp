// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of Rust's standard library begin in one function, which calls
// what the closure's table says. Who starts them is given that table:
//
//     spawn(f)                 hands over the table of f
//       Thread::new(box)       Start entry
//         entry                calls the table's method
//
// A closure may have been boxed before, by a library that borrows for a scope:
// then f calls a table's method, too, and the one that is meant was taken by
// who calls spawn, where nobody sees it go.

#include "ClosureStarts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

/// Calls from an entry to that of the table's method; boxes in boxes.
static constexpr unsigned MostCallsToMethod = 3, MostBoxes = 3;
/// What is done less often is for errors; what is done each time.
static constexpr double LeastStart = 0.1, LeastMethod = 0.5;

/// Behind the words of a table's head (lib/Input/ClosureTable.h).
static const uint8_t FirstMethod = SlotSignature::inRecord(24);

static bool callsFirstMethod(const CallGraph &Graph, NodeIndex N,
                             unsigned Depth = 0) {
  return any_of(Graph.Nodes[N].Edges, [&](const GraphEdge &E) {
    if (E.Weight < LeastMethod || E.InLoop)
      return false;
    if (E.Kind == CallKind::Indirect)
      return E.Signature == FirstMethod;
    return E.Kind == CallKind::Direct && E.Callee != NoNode &&
           Depth != MostCallsToMethod &&
           callsFirstMethod(Graph, E.Callee, Depth + 1);
  });
}

namespace {

class ClosureStarter {
public:
  explicit ClosureStarter(CallGraph &Graph) : Graph(Graph) {}

  std::vector<bool> start() {
    std::vector<bool> Starters = findFirst();
    for (unsigned Box = 0; Box != MostBoxes && is_contained(Starters, true);
         ++Box)
      Starters = startBy(Starters);
    return std::move(Started);
  }

private:
  CallGraph &Graph;
  std::vector<bool> Started = std::vector<bool>(Graph.Nodes.size());

  bool hasClosures() const {
    return any_of(Graph.Nodes,
                  [](const GraphNode &N) { return !N.Closures.empty(); });
  }

  /// Functions that start a thread which runs what it is handed.
  std::vector<bool> findFirst() const {
    std::vector<bool> Starters(Graph.Nodes.size());
    if (hasClosures())
      for (auto [N, Node] : enumerate(Graph.Nodes))
        Starters[N] = any_of(Node.Edges, [&](const GraphEdge &E) {
          return E.Kind == CallKind::Start && E.Callee != NoNode &&
                 callsFirstMethod(Graph, E.Callee);
        });
    return Starters;
  }

  /// The closures that \p Call is given; where that is none, those that the
  /// caller puts somewhere, such as into what it hands over.
  static SmallVector<NodeIndex, 2> closuresOf(const GraphNode &Caller,
                                              const GraphEdge &Call) {
    SmallVector<NodeIndex, 2> Given, Taken, Others;
    for (const GraphClosure &C : Caller.Closures)
      if (C.Run == NoNode || C.Weight < LeastStart)
        continue;
      else if (!C.IsHanded)
        Taken.push_back(C.Run);
      else if (C.Stage == Call.Stage)
        Given.push_back(C.Run);
      else
        Others.push_back(C.Run);
    if (!Given.empty())
      return Given;
    llvm::erase_if(Taken, [&](NodeIndex N) { return is_contained(Others, N); });
    return Taken;
  }

  /// Starts the closures that callers of \p Starters hand over. Returns those
  /// callers whose threads run another closure from there.
  std::vector<bool> startBy(const std::vector<bool> &Starters) {
    std::vector<bool> Next(Graph.Nodes.size());
    for (auto [N, Node] : enumerate(Graph.Nodes)) {
      SmallVector<GraphEdge, 2> Starts;
      for (const GraphEdge &Call : Node.Edges) {
        if (Call.Kind != CallKind::Direct || Call.Callee == NoNode ||
            Call.Weight < LeastStart || !Starters[Call.Callee])
          continue;
        for (NodeIndex Run : closuresOf(Node, Call)) {
          if (any_of(Starts,
                     [&](const GraphEdge &S) { return S.Callee == Run; }))
            continue;
          GraphEdge &Start = Starts.emplace_back(Call);
          Start.Kind = CallKind::Start;
          Start.Callee = Run;
          Started[Run] = true;
          Next[N] = Next[N] || callsFirstMethod(Graph, Run);
        }
      }
      if (Starts.empty())
        continue;
      Graph.StartsClosures = true;
      append_range(Node.Edges, Starts);
      llvm::stable_sort(Node.Edges, [](const GraphEdge &A, const GraphEdge &B) {
        return A.Stage < B.Stage;
      });
    }
    return Next;
  }
};

} // namespace

std::vector<bool> startClosures(CallGraph &Graph) {
  return ClosureStarter(Graph).start();
}

} // namespace linesman::layout
