// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who runs what.
//
//  1. Resolve starts of functions that are not known: what a caller hands to
//     one who starts what it is given.
//  2. Start-up: what initialisers reach, and what main reaches before the first
//     thread starts. main's path to that start runs on both sides of it.
//  3. Roles: the started functions, and main from there on. One instance where
//  a
//     single place starts it, outside loops, in a function that runs once.
//  4. What start-up code hands on as a callback runs for the roles that call
//     functions of its type, or whose library runs callbacks.
//  5. What is left has an unknown caller.
//  6. Weights (Propagate.cpp).

#include "linesman/Layout/Roles.h"
#include "Propagate.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

namespace {

struct IncomingEdge {
  NodeIndex From;
  const GraphEdge *Edge;
};

/// A function whose address start-up code has taken.
struct Callback {
  NodeIndex Function;
  uint8_t Signature;
  auto operator<=>(const Callback &) const = default;
};

/// A role as it is found.
struct Draft {
  Role As;
  std::vector<Seed> Seeds;
};

class RoleFinder {
public:
  RoleFinder(CallGraph Taken, ArrayRef<NodeIndex> Entries)
      : Graph(std::move(Taken)), Named(Entries.begin(), Entries.end()) {}

  std::optional<RoleAssignment> find();

private:
  void resolveStarts();
  void findIncoming();
  void findStarters();
  void findStartUp();
  void walkToFirstStart(NodeIndex N, double Weight,
                        SmallVectorImpl<NodeIndex> &Path);
  void addStartUp(NodeIndex Root);
  void take(const GraphEdge &Edge);
  void addThreads();
  bool runsOnce(NodeIndex N, unsigned Depth = 0) const;
  void attachCallbacks(const Propagator &P);
  void addUnknown(const Propagator &P);

  bool startsThreads(const GraphEdge &E) const {
    return E.Kind == CallKind::Start ||
           (E.Kind == CallKind::Direct && E.To != NoNode && Starts[E.To]);
  }

  CallGraph Graph;
  SmallVector<NodeIndex, 4> Named;
  NodeIndex Main = NoNode;
  std::vector<std::vector<IncomingEdge>> Incoming;
  /// Functions that start a thread, or call one that does.
  std::vector<bool> Starts;
  std::vector<bool> StartUp;
  std::set<Callback> Callbacks;
  std::vector<Draft> Drafts;
  std::vector<Seed> MainSeeds;
};

/// A caller of one who starts what it is given starts what it hands it: both
/// are of one stage, since both are the same call.
void RoleFinder::resolveStarts() {
  std::vector<bool> StartsGiven(Graph.Nodes.size());
  for (auto [N, Node] : enumerate(Graph.Nodes))
    StartsGiven[N] = any_of(Node.Edges, [](const GraphEdge &E) {
      return E.Kind == CallKind::Start && E.To == NoNode;
    });
  for (GraphNode &Node : Graph.Nodes) {
    SmallVector<const GraphEdge *, 4> Calls;
    for (const GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Direct && E.To != NoNode && StartsGiven[E.To])
        Calls.push_back(&E);
    for (GraphEdge &E : Node.Edges) {
      if (E.Kind != CallKind::Address || E.To == NoNode)
        continue;
      bool IsNamed = is_contained(Named, E.To);
      if (IsNamed || any_of(Calls, [&](const GraphEdge *Call) {
            return Call->Stage == E.Stage;
          }))
        E.Kind = CallKind::Start;
      // Where the user knows better, how many it starts is not known.
      E.InLoop |= IsNamed;
    }
  }
}

void RoleFinder::findIncoming() {
  Incoming.resize(Graph.Nodes.size());
  for (auto [N, Node] : enumerate(Graph.Nodes)) {
    if (Node.Name == "main")
      Main = N;
    for (const GraphEdge &E : Node.Edges)
      if (E.To != NoNode)
        Incoming[E.To].push_back({NodeIndex(N), &E});
  }
}

void RoleFinder::findStarters() {
  Starts.resize(Graph.Nodes.size());
  SmallVector<NodeIndex, 32> Worklist;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (any_of(Node.Edges,
               [](const GraphEdge &E) { return E.Kind == CallKind::Start; })) {
      Starts[N] = true;
      Worklist.push_back(N);
    }
  while (!Worklist.empty())
    for (const IncomingEdge &In : Incoming[Worklist.pop_back_val()])
      if (In.Edge->Kind == CallKind::Direct && !Starts[In.From]) {
        Starts[In.From] = true;
        Worklist.push_back(In.From);
      }
}

void RoleFinder::take(const GraphEdge &Edge) {
  if (Edge.To == NoNode)
    return;
  // A table stands for what it holds.
  const GraphNode &To = Graph.Nodes[Edge.To];
  if (Callbacks.insert({Edge.To, Edge.Signature}).second &&
      To.Address.Value == 0)
    for (const GraphEdge &E : To.Edges)
      if (E.Kind == CallKind::Address)
        take(E);
}

void RoleFinder::addStartUp(NodeIndex Root) {
  if (StartUp[Root])
    return;
  SmallVector<NodeIndex, 32> Worklist{Root};
  StartUp[Root] = true;
  while (!Worklist.empty())
    for (const GraphEdge &E : Graph.Nodes[Worklist.pop_back_val()].Edges) {
      if (E.Kind == CallKind::Address)
        take(E);
      else if (E.Kind == CallKind::Direct && E.To != NoNode && !StartUp[E.To]) {
        StartUp[E.To] = true;
        Worklist.push_back(E.To);
      }
    }
}

/// \p N runs once, and threads start in it.
void RoleFinder::walkToFirstStart(NodeIndex N, double Weight,
                                  SmallVectorImpl<NodeIndex> &Path) {
  Path.push_back(N);
  const auto &Edges = Graph.Nodes[N].Edges;
  auto First =
      find_if(Edges, [&](const GraphEdge &E) { return startsThreads(E); });
  for (const GraphEdge &E : Edges) {
    if (E.Stage >= First->Stage)
      break;
    if (E.Kind == CallKind::Address)
      take(E);
    else if (E.Kind == CallKind::Direct && E.To != NoNode)
      addStartUp(E.To);
  }
  MainSeeds.push_back({N, Weight, First->Stage});
  if (First->Kind == CallKind::Direct && !First->InLoop &&
      !is_contained(Path, First->To))
    walkToFirstStart(First->To, Weight * First->Weight, Path);
}

void RoleFinder::findStartUp() {
  StartUp.resize(Graph.Nodes.size());
  bool ThreadsBeforeMain = false;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (Node.IsStartUp) {
      addStartUp(N);
      ThreadsBeforeMain |= Starts[N];
    }
  if (Main == NoNode)
    return;
  SmallVector<NodeIndex, 8> Path;
  if (Starts[Main] && !ThreadsBeforeMain)
    walkToFirstStart(Main, 1, Path);
  else
    MainSeeds.push_back({Main, 1, std::nullopt});
}

/// Whether a function runs at most once in a process. An entry of a thread that
/// is started once does, and so does what only that calls once.
bool RoleFinder::runsOnce(NodeIndex N, unsigned Depth) const {
  // Longer chains to the place where threads start are rare, circles are not.
  constexpr unsigned MostCalls = 64;
  ArrayRef<IncomingEdge> In = Incoming[N];
  if (N == Main || Graph.Nodes[N].IsStartUp)
    return In.empty();
  return In.size() == 1 && In[0].Edge->Kind != CallKind::Address &&
         !In[0].Edge->InLoop && Depth < MostCalls &&
         runsOnce(In[0].From, Depth + 1);
}

void RoleFinder::addThreads() {
  // By entry, in the graph's order.
  std::map<NodeIndex, Role> Found;
  for (NodeIndex N = 0; N != Graph.Nodes.size(); ++N) {
    uint32_t Sites = 0;
    bool IsOne = true;
    for (const IncomingEdge &In : Incoming[N])
      if (In.Edge->Kind == CallKind::Start) {
        ++Sites;
        IsOne &= !In.Edge->InLoop && runsOnce(In.From);
      }
    if (Sites)
      Found[N] = {RoleKind::Thread,
                  Sites == 1 && IsOne ? Instances::One : Instances::Many,
                  Graph.Nodes[N].Name, Sites};
  }
  for (NodeIndex N : Named)
    Found.try_emplace(
        N, Role{RoleKind::Thread, Instances::Many, Graph.Nodes[N].Name, 0});
  for (const auto &[N, As] : Found)
    Drafts.push_back({As, {{N, 1, std::nullopt}}});
}

/// A role that runs a callback may run more of them from there.
void RoleFinder::attachCallbacks(const Propagator &P) {
  std::set<Callback> Unclaimed = Callbacks;
  for (Draft &D : Drafts) {
    std::set<NodeIndex> Attached;
    for (bool Changed = true; Changed;) {
      Changed = false;
      std::vector<bool> Reached = P.reach(D.Seeds);
      std::set<uint8_t> Calls;
      auto AddCalls = [&](NodeIndex N, std::optional<uint32_t> After) {
        for (const GraphEdge &E : Graph.Nodes[N].Edges)
          if (E.Kind == CallKind::Indirect && isAfter(E, After))
            Calls.insert(E.Signature);
      };
      for (NodeIndex N = 0; N != Graph.Nodes.size(); ++N)
        if (Reached[N])
          AddCalls(N, std::nullopt);
      for (const Seed &S : D.Seeds)
        if (S.After)
          AddCalls(S.Node, S.After);
      if (Calls.empty())
        break;
      for (const Callback &C : Callbacks) {
        if (C.Signature && !Calls.count(0) && !Calls.count(C.Signature))
          continue;
        Unclaimed.erase(C);
        if (Reached[C.Function] || !Attached.insert(C.Function).second)
          continue;
        D.Seeds.push_back({C.Function, 1, std::nullopt});
        Changed = true;
      }
    }
  }
  Callbacks = std::move(Unclaimed);
}

void RoleFinder::addUnknown(const Propagator &P) {
  Draft Unknown{{RoleKind::Unknown, Instances::Many, "", 0}, {}};
  for (const Callback &C : Callbacks)
    Unknown.Seeds.push_back({C.Function, 1, std::nullopt});
  std::vector<Seed> All = Unknown.Seeds;
  for (const Draft &D : Drafts)
    append_range(All, D.Seeds);
  std::vector<bool> Reached = P.reach(All);
  for (const Seed &S : All)
    Reached[S.Node] = true;
  auto IsOpen = [&](NodeIndex N) { return !Reached[N] && !StartUp[N]; };
  // First those that nobody calls, then what is left: circles.
  for (bool Roots : {true, false})
    for (NodeIndex N = 0; N != Graph.Nodes.size(); ++N) {
      if (!IsOpen(N) || Graph.Nodes[N].Address.Value == 0 ||
          (Roots && any_of(Incoming[N], [&](const IncomingEdge &In) {
             return In.From != N && IsOpen(In.From);
           })))
        continue;
      Seed New{N, 1, std::nullopt};
      Unknown.Seeds.push_back(New);
      if (Roots)
        continue;
      std::vector<bool> Behind = P.reach(Unknown.Seeds);
      for (NodeIndex M = 0; M != Behind.size(); ++M)
        Reached[M] = Reached[M] || Behind[M];
    }
  if (!Unknown.Seeds.empty())
    Drafts.push_back(std::move(Unknown));
}

std::optional<RoleAssignment> RoleFinder::find() {
  resolveStarts();
  findIncoming();
  findStarters();
  if (!Graph.HasCalls || (Named.empty() && !is_contained(Starts, true)))
    return std::nullopt;
  findStartUp();
  addThreads();
  if (!MainSeeds.empty())
    Drafts.push_back({{RoleKind::Main, Instances::One, "main", 0}, MainSeeds});
  Propagator P(Graph);
  attachCallbacks(P);
  addUnknown(P);

  RoleAssignment Result;
  Result.Roles = {{RoleKind::StartUp, Instances::One, "", 0},
                  {RoleKind::Concurrent, Instances::Many, "", 0}};
  Result.OfNode.resize(Graph.Nodes.size());
  for (const Draft &D : Drafts) {
    RoleIndex Index = Result.Roles.size();
    Result.Roles.push_back(D.As);
    for (auto [N, Weight] : enumerate(P.weigh(D.Seeds)))
      if (Weight > 0)
        Result.OfNode[N].push_back({Index, Weight, std::nullopt});
    for (const Seed &S : D.Seeds)
      if (S.After)
        Result.OfNode[S.Node].push_back({Index, S.Weight, S.After});
  }
  return Result;
}

} // namespace

std::optional<RoleAssignment> assignRoles(CallGraph Graph,
                                          ArrayRef<NodeIndex> Entries) {
  return RoleFinder(std::move(Graph), Entries).find();
}

} // namespace linesman::layout
