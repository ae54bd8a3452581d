// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of calls by names, and who runs what in them.

#ifndef LINESMAN_TEST_UNIT_LAYOUT_GRAPHLITERALS_H
#define LINESMAN_TEST_UNIT_LAYOUT_GRAPHLITERALS_H

#include "linesman/Layout/Roles.h"
#include <map>
#include <string>

namespace linesman::layout {

/// A graph by names. Edges of a function are in the order in which they are
/// added, each of its own stage.
class Graph {
public:
  NodeIndex node(llvm::StringRef Name) {
    auto [It, IsNew] = Index.try_emplace(Name.str(), G.Nodes.size());
    if (IsNew) {
      GraphNode &Node = G.Nodes.emplace_back();
      Node.Name = It->first;
      // A library's function and a table have none.
      if (!Name.starts_with("lib_") && !Name.starts_with("table_"))
        Node.Address = {0x1000 + It->second};
    }
    return It->second;
  }
  Graph &edge(llvm::StringRef Caller, facts::CallKind Kind,
              llvm::StringRef Target, double Weight = 1, bool InLoop = false,
              uint8_t Signature = 0) {
    NodeIndex Callee = Target.empty() ? NoNode : node(Target);
    auto &Edges = G.Nodes[node(Caller)].Edges;
    uint32_t Stage = Edges.empty() ? 0 : Edges.back().Stage + 1;
    Edges.push_back({Kind, Callee, Weight, Stage, InLoop, Signature});
    G.HasCalls = true;
    return *this;
  }
  Graph &call(llvm::StringRef Caller, llvm::StringRef Target,
              double Weight = 1) {
    return edge(Caller, facts::CallKind::Direct, Target, Weight, Weight > 1);
  }
  Graph &start(llvm::StringRef Caller, llvm::StringRef Target,
               bool InLoop = false) {
    return edge(Caller, facts::CallKind::Start, Target, 1, InLoop);
  }
  Graph &take(llvm::StringRef Caller, llvm::StringRef Target,
              uint8_t Signature = 0) {
    return edge(Caller, facts::CallKind::Address, Target, 1, false, Signature);
  }
  Graph &indirect(llvm::StringRef Caller, uint8_t Signature) {
    return edge(Caller, facts::CallKind::Indirect, "", 1, false, Signature);
  }
  /// Of the last edge of \p Caller.
  Graph &declared(llvm::StringRef Caller, uint8_t Type) {
    G.Nodes[node(Caller)].Edges.back().Declared = Type;
    return *this;
  }
  /// The last edge of \p Caller is of the same call as the one before.
  Graph &together(llvm::StringRef Caller) {
    auto &Edges = G.Nodes[node(Caller)].Edges;
    Edges.back().Stage = Edges[Edges.size() - 2].Stage;
    return *this;
  }

  CallGraph G;

private:
  std::map<std::string, NodeIndex> Index;
};

/// {role: weight} of a function; "main*" for a part of it.
inline std::map<std::string, double>
rolesOf(Graph &Built, llvm::StringRef Function,
        llvm::ArrayRef<NodeIndex> Entries = {}) {
  NodeIndex N = Built.node(Function);
  auto Assigned = assignRoles(Built.G, Entries);
  std::map<std::string, double> Result;
  if (!Assigned)
    return {{"no roles", 0}};
  for (const RoleShare &S : Assigned->OfNode[N]) {
    const Role &R = Assigned->Roles[S.Role];
    std::string Name = R.Kind == RoleKind::Unknown   ? "?"
                       : R.Kind == RoleKind::Outside ? "outside"
                                                     : R.Name.str();
    Result[Name + (S.After ? "*" : "")] += S.Weight;
  }
  return Result;
}
using Weights = std::map<std::string, double>;

} // namespace linesman::layout

#endif // LINESMAN_TEST_UNIT_LAYOUT_GRAPHLITERALS_H
