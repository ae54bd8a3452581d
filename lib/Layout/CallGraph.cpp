// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The join of calls: what one object calls by name, another one defines.

#include "linesman/Layout/CallGraph.h"
#include "linesman/Facts/LifeCycle.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::layout {

NodeIndex CallGraphBuilder::addFunction(LinkAddress Address, StringRef Name) {
  auto [It, IsNew] =
      ByAddress.try_emplace(Address.Value, NodeIndex(Graph.Nodes.size()));
  if (IsNew)
    Graph.Nodes.emplace_back().Address = Address;
  // Most references have no name, and looking at a node is dear: there are
  // many.
  if (Name.empty())
    return It->second;
  GraphNode &Node = Graph.Nodes[It->second];
  if (Node.Name.empty())
    Node.Name = Name;
  return It->second;
}

/// By the hash of a name: others are not known here.
static DenseSet<uint64_t> hashAll(ArrayRef<StringLiteral> Names) {
  DenseSet<uint64_t> Hashes;
  for (StringRef Name : Names)
    Hashes.insert(facts::hashName(Name));
  return Hashes;
}

static void markKnown(GraphNode &Node, uint64_t Hash) {
  static const DenseSet<uint64_t> Waiting = hashAll(facts::WaitsForWork);
  static const DenseSet<uint64_t> Ends = hashAll(facts::ThreadEnds);
  static const DenseSet<uint64_t> Joins = hashAll(facts::ThreadJoins);
  static const DenseSet<uint64_t> SetUp = hashAll(facts::SetUpCalls);
  static const DenseSet<uint64_t> Costly = hashAll(facts::CostlyCalls);
  static const DenseSet<uint64_t> Long = hashAll(facts::LongCalls);
  Node.WaitsForWork = Waiting.contains(Hash);
  Node.EndsThread = Ends.contains(Hash);
  Node.JoinsThread = Joins.contains(Hash);
  Node.IsSetUp =
      SetUp.contains(Hash) || Hash == facts::hashName(facts::StaticMade);
  Node.IsCostly = Costly.contains(Hash) || Long.contains(Hash);
}

NodeIndex CallGraphBuilder::intern(facts::FunctionRef Ref) {
  switch (Ref.Kind) {
  case facts::FunctionRef::None:
    return NoNode;
  case facts::FunctionRef::Address:
    return Ref.Value ? addFunction({Ref.Value}, "") : NoNode;
  case facts::FunctionRef::Name: {
    if (auto It = Named.find(Ref.Value); It != Named.end())
      return addFunction(It->second.Address, It->second.name());
    auto [Known, IsNew] =
        ByName.try_emplace(Ref.Value, NodeIndex(Graph.Nodes.size()));
    if (IsNew)
      markKnown(Graph.Nodes.emplace_back(), Ref.Value);
    return Known->second;
  }
  case facts::FunctionRef::Table: {
    auto [Known, IsNew] =
        ByTable.try_emplace(Ref.Value, NodeIndex(Graph.Nodes.size()));
    if (IsNew)
      Graph.Nodes.emplace_back();
    return Known->second;
  }
  }
  llvm_unreachable("unknown kind of reference");
}

void CallGraphBuilder::add(const facts::Calls &Calls) {
  Graph.HasCalls = true;
  NodeIndex Caller = intern(Calls.Caller);
  if (Caller == NoNode || !Graph.Nodes[Caller].Edges.empty())
    return;
  std::vector<GraphEdge> Edges;
  for (const facts::CallEdge &E : Calls.Edges) {
    NodeIndex Callee = intern(E.Callee);
    // A callee that the linker discarded.
    if (Callee == NoNode && E.Callee.Kind != facts::FunctionRef::None)
      continue;
    Edges.push_back({E.Kind, Callee, E.Weight, E.Stage, E.InLoop, E.Signature,
                     E.OnceFlag, E.IsLocked, E.HeldLock, E.IsOneForAll,
                     E.Declared});
  }
  Graph.Nodes[Caller].Edges = std::move(Edges);
  Graph.Nodes[Caller].Takes = Calls.Takes;
  for (const facts::ClosureUse &Use : Calls.Closures) {
    NodeIndex Run = intern(Use.Run);
    Graph.Nodes[Caller].Closures.push_back(
        {Run, Use.Weight, Use.Stage, Use.InLoop, Use.IsHanded});
  }
  Graph.Nodes[Caller].LeavesLock |= Calls.LeavesLock;
}

void CallGraphBuilder::addTables(ArrayRef<facts::CallEdge> Edges) {
  Graph.HasSlots = true;
  std::vector<GraphEdge> Kept;
  for (const facts::CallEdge &E : Edges)
    if (NodeIndex Callee = intern(E.Callee); Callee != NoNode)
      Kept.push_back(
          {E.Kind, Callee, E.Weight, E.Stage, E.InLoop, E.Signature});
  GraphNode &Table = Graph.Nodes.emplace_back();
  Table.IsStartUp = true;
  Table.Edges = std::move(Kept);
}

/// What others call of it, they call at start.
void CallGraphBuilder::dropGivenBack() {
  if (GivenBack.empty())
    return;
  std::vector<bool> IsGone(Graph.Nodes.size());
  for (auto [N, Node] : enumerate(Graph.Nodes)) {
    IsGone[N] = any_of(GivenBack, [&](AddressRange Code) {
      return Code.contains(Node.Address);
    });
    Node.IsStartUp |= IsGone[N];
  }
  for (GraphNode &Node : Graph.Nodes)
    if (!Node.IsStartUp)
      erase_if(Node.Edges, [&](const GraphEdge &E) {
        return E.Callee != NoNode && IsGone[E.Callee];
      });
}

CallGraph CallGraphBuilder::finish() && {
  for (LinkAddress Address : Exported)
    if (auto It = ByAddress.find(Address.Value); It != ByAddress.end())
      Graph.Nodes[It->second].IsExported = true;
  for (GraphNode &Node : Graph.Nodes)
    for (GraphEdge &E : Node.Edges)
      if (E.Kind == facts::CallKind::Direct && E.Callee != NoNode &&
          Graph.Nodes[E.Callee].NeverReturns)
        E.Weight *= OnceShare;
  dropGivenBack();
  return std::move(Graph);
}

void CallGraphBuilder::name(const FunctionSymbol &Function) {
  if (auto It = ByAddress.find(Function.Address.Value); It != ByAddress.end())
    if (GraphNode &Node = Graph.Nodes[It->second]; Node.Name.empty())
      Node.Name = Function.name();
}

NodeIndex CallGraph::find(StringRef Name) const {
  for (auto [Index, Node] : enumerate(Nodes))
    if (Node.Name == Name)
      return Index;
  for (auto [Index, Node] : enumerate(Nodes)) {
    std::string Demangled = guard::demangle(Node.Name);
    StringRef Plain = Demangled;
    if (Plain == Name ||
        Plain.take_until([](char C) { return C == '('; }) == Name)
      return Index;
  }
  return NoNode;
}

} // namespace linesman::layout
