// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Endings.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::CallKind;

namespace linesman::layout {

/// Variables that an end takes back at least: fewer are one cache that is
/// emptied. Calls from who ends a program to it.
static constexpr size_t LeastCleared = 4;
static constexpr unsigned MostEndCalls = 3;

/// Functions of which each call is hardly ever made, or made by such a one. Of
/// those that nobody here calls, only what other modules can call is one: that
/// the library does not call it says that it is not for its own work.
static std::vector<bool> findRarelyCalled(const CallGraph &Graph) {
  std::vector<bool> Rare(Graph.Nodes.size()), IsCalled = Rare;
  for (unsigned Depth = 0; Depth <= MostEndCalls; ++Depth) {
    std::vector<bool> IsOften(Graph.Nodes.size());
    for (auto [Caller, Node] : enumerate(Graph.Nodes))
      for (const GraphEdge &E : Node.Edges) {
        if (E.Callee == NoNode)
          continue;
        IsCalled[E.Callee] = true;
        bool IsCall = E.Kind == CallKind::Direct;
        if (!Node.IsStartUp &&
            !(IsCall && (E.Weight <= OnceShare || Rare[Caller])))
          IsOften[E.Callee] = true;
      }
    for (size_t N = 0; N != Rare.size(); ++N)
      Rare[N] = IsCalled[N] && !IsOften[N];
  }
  for (auto [N, Node] : enumerate(Graph.Nodes))
    Rare[N] = Rare[N] || (!IsCalled[N] && Node.IsExported);
  return Rare;
}

/// Calls \p Visit with each write of known bytes and where those begin.
template <typename Visitor>
static void visitWrites(const AccessTable &Table, const Image &Program,
                        Visitor Visit) {
  for (const AccessedObject &Object : Table.objects()) {
    LinkAddress Begin = Program.symbols()[Object.Symbol].Address;
    for (const ObjectAccess &A : Object.Accesses)
      if (A.writes() && A.offset())
        Visit(A, (Begin + *A.offset()).Value);
  }
}

DenseSet<uint64_t> findEndings(const AccessTable &Table, const Image &Program,
                               const CallGraph &Graph,
                               const DenseSet<uint64_t> &Once) {
  auto IsClear = [&](const ObjectAccess &A) {
    return A.StoresConstant && !Table.detailOf(A).Stored;
  };
  auto WriterOf = [&](const ObjectAccess &A) {
    return Table.functions()[A.Function].Address.Value;
  };
  // By function.
  DenseMap<uint64_t, SmallDenseSet<uint64_t, 4>> Cleared;
  visitWrites(Table, Program, [&](const ObjectAccess &A, uint64_t Variable) {
    if (IsClear(A))
      Cleared[WriterOf(A)].insert(Variable);
  });
  DenseSet<uint64_t> Found;
  for (const auto &[Function, Variables] : Cleared)
    if (Variables.size() >= LeastCleared &&
        any_of(Variables, [&](uint64_t V) { return Once.contains(V); }))
      Found.insert(Function);
  if (Found.empty())
    return Found;
  // Who clears a variable and sets it, too, ends nothing.
  visitWrites(Table, Program, [&](const ObjectAccess &A, uint64_t Variable) {
    if (auto It = Cleared.find(WriterOf(A));
        It != Cleared.end() && !IsClear(A) && It->second.contains(Variable))
      Found.erase(It->first);
  });
  if (Found.empty())
    return Found;
  const std::vector<bool> Rare = findRarelyCalled(Graph);
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (!Rare[N])
      Found.erase(Node.Address.Value);
  return Found;
}

} // namespace linesman::layout
