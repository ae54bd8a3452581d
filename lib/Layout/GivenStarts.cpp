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
// So is one that keeps what it is given in a record, and starts a trampoline,
// which calls what the record has:
//
//     start(run)           Address run, Direct start       (one stage)
//       record->run = run
//       pthread_create     Start of trampoline
//         trampoline       Indirect: record->run(record)
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
/// What is seldom done is for errors.
static constexpr double Often = 0.1;

static bool isStart(const GraphEdge &E) { return E.Kind == CallKind::Start; }

static bool isCall(const GraphEdge &E) {
  return E.Kind == CallKind::Direct && E.Callee != NoNode;
}

static bool isShort(const GraphNode &Node) {
  return count_if(Node.Edges,
                  [](const GraphEdge &E) { return E.Weight >= Often; }) <=
             MostEdges &&
         none_of(Node.Edges, [](const GraphEdge &E) { return E.InLoop; });
}

/// The only call through a pointer that a thread which begins in \p Node always
/// makes; null where there is none, or several.
static GraphEdge *findRun(GraphNode &Node) {
  GraphEdge *Found = nullptr;
  for (GraphEdge &E : Node.Edges) {
    if (E.Kind != CallKind::Indirect || E.Signature == LibraryCallback ||
        E.InLoop || E.Weight < EachTime)
      continue;
    if (Found)
      return nullptr;
    Found = &E;
  }
  return Found;
}

namespace {

class GivenStarter {
public:
  explicit GivenStarter(CallGraph &Graph) : Graph(Graph) {}

  std::vector<bool> start() {
    findTrampolines();
    findLayers();
    for (auto [N, Node] : enumerate(Graph.Nodes))
      startBy(Node, /*HandsOn=*/Layers[N].Depth != 0);
    dropRuns();
    return std::move(IsTrampoline);
  }

private:
  void findTrampolines();
  void findLayers();
  void startBy(GraphNode &Node, bool HandsOn);
  void dropRuns();
  std::vector<bool> findGiven() const;
  bool canBeGiven(const GraphEdge &Address, const GraphEdge &Call) const;

  /// How a function starts what it is given.
  struct Layer {
    /// 1 where it does that itself, more where it hands it on, 0 for functions
    /// that do not.
    unsigned Depth = 0;
    /// That of the trampoline's call; 0 where nothing is known.
    uint8_t Signature = 0;
    /// A call is seen that gives it nothing to start.
    bool IsOpen = false;
  };

  CallGraph &Graph;
  /// By node. Trampolines are functions that only threads begin in.
  std::vector<bool> IsTrampoline = std::vector<bool>(Graph.Nodes.size());
  std::vector<Layer> Layers = std::vector<Layer>(Graph.Nodes.size());
};

} // namespace

/// Whether each call of a function is given one, or made by a layer that is;
/// not where there is no call.
std::vector<bool> GivenStarter::findGiven() const {
  std::vector<bool> IsGiven(Graph.Nodes.size());
  // By function, who calls it without giving it one.
  std::vector<SmallVector<NodeIndex, 1>> Bare(Graph.Nodes.size());
  for (auto [N, Node] : enumerate(Graph.Nodes)) {
    SmallSet<uint32_t, 8> Giving;
    for (const GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Address && E.Callee != NoNode)
        Giving.insert(E.Stage);
    for (const GraphEdge &E : Node.Edges)
      if (isCall(E) && !E.InLoop) {
        if (Giving.contains(E.Stage))
          IsGiven[E.Callee] = true;
        else
          Bare[E.Callee].push_back(N);
      }
  }
  for (size_t N = 0; N != IsGiven.size(); ++N)
    IsGiven[N] = IsGiven[N] && Bare[N].empty();
  for (unsigned Depth = 2; Depth < MostLayers; ++Depth) {
    std::vector<bool> More = IsGiven;
    for (size_t N = 0; N != IsGiven.size(); ++N)
      More[N] = More[N] ||
                (!Bare[N].empty() && all_of(Bare[N], [&](NodeIndex Caller) {
                  return IsGiven[Caller] && isShort(Graph.Nodes[Caller]);
                }));
    IsGiven = std::move(More);
  }
  return IsGiven;
}

void GivenStarter::findTrampolines() {
  for (const GraphNode &Node : Graph.Nodes)
    for (const GraphEdge &E : Node.Edges)
      if (isStart(E) && E.Callee != NoNode && findRun(Graph.Nodes[E.Callee]))
        IsTrampoline[E.Callee] = true;
  for (const GraphNode &Node : Graph.Nodes)
    for (const GraphEdge &E : Node.Edges)
      if (!isStart(E) && E.Callee != NoNode)
        IsTrampoline[E.Callee] = false;
}

void GivenStarter::findLayers() {
  bool IsAny = false;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (any_of(Node.Edges, [](const GraphEdge &E) {
          return isStart(E) && E.Callee == NoNode;
        })) {
      Layers[N].Depth = 1;
      IsAny = true;
    }
  if (!IsAny && !is_contained(IsTrampoline, true))
    return;

  const std::vector<bool> IsGiven = findGiven();
  for (auto [N, Node] : enumerate(Graph.Nodes)) {
    if (Layers[N].Depth || !IsGiven[N])
      continue;
    for (const GraphEdge &E : Node.Edges)
      if (isStart(E) && !E.InLoop && IsTrampoline[E.Callee])
        Layers[N] = {2, Graph.HasSlots
                            ? uint8_t(0)
                            : findRun(Graph.Nodes[E.Callee])->Signature};
  }
  for (unsigned Depth = 2; Depth <= MostLayers; ++Depth)
    for (auto [N, Node] : enumerate(Graph.Nodes)) {
      if (Layers[N].Depth || !IsGiven[N] || !isShort(Node))
        continue;
      const auto Down = find_if(Node.Edges, [&](const GraphEdge &E) {
        return isCall(E) && E.Weight >= Often &&
               Layers[E.Callee].Depth == Depth - 1;
      });
      if (Down != Node.Edges.end())
        Layers[N] = {Depth, Layers[Down->Callee].Signature};
    }
}

/// Both are of one stage, since both are the same call. A table and another
/// module's function have no address.
bool GivenStarter::canBeGiven(const GraphEdge &Address,
                              const GraphEdge &Call) const {
  const uint8_t Wanted = Layers[Call.Callee].Signature;
  return Address.Kind == CallKind::Address && Address.Callee != NoNode &&
         Graph.Nodes[Address.Callee].Address.Value &&
         Address.Stage == Call.Stage &&
         (!Wanted || !Address.Signature || Address.Signature == Wanted);
}

/// A caller of one who starts what it is given starts what it hands it.
void GivenStarter::startBy(GraphNode &Node, bool HandsOn) {
  SmallVector<std::pair<GraphEdge *, const GraphEdge *>, 4> Started;
  for (const GraphEdge &Call : Node.Edges) {
    if (!isCall(Call) || !Layers[Call.Callee].Depth)
      continue;
    SmallVector<GraphEdge *, 2> Given;
    for (GraphEdge &E : Node.Edges)
      if (canBeGiven(E, Call))
        Given.push_back(&E);
    // In a loop others may be of the same stage.
    if (Layers[Call.Callee].Depth == 1 || !Call.InLoop || Given.size() == 1)
      for (GraphEdge *E : Given)
        Started.push_back({E, &Call});
    else
      Given.clear();
    if (Given.empty() && !HandsOn)
      Layers[Call.Callee].IsOpen = true;
  }
  for (auto [E, Call] : Started) {
    E->Kind = CallKind::Start;
    E->OnceFlag = Call->OnceFlag;
  }
}

/// What a trampoline runs is known if that is so of all who start it.
void GivenStarter::dropRuns() {
  for (unsigned Depth = MostLayers; Depth > 1; --Depth)
    for (auto [N, Node] : enumerate(Graph.Nodes))
      if (Layers[N].IsOpen)
        for (const GraphEdge &E : Node.Edges)
          if (isCall(E) && Layers[E.Callee].Depth)
            Layers[E.Callee].IsOpen = true;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    for (const GraphEdge &E : Node.Edges)
      if (isStart(E) && E.Callee != NoNode &&
          (Layers[N].Depth < 2 || Layers[N].IsOpen))
        IsTrampoline[E.Callee] = false;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (IsTrampoline[N])
      Node.Edges.erase(Node.Edges.begin() +
                       (findRun(Node) - Node.Edges.data()));
}

std::vector<bool> startGiven(CallGraph &Graph) {
  return GivenStarter(Graph).start();
}

} // namespace linesman::layout
