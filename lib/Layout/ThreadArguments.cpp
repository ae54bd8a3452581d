// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts are counted by entry, and compared with the addresses that are handed
// to them.

#include "ThreadArguments.h"
#include "RunsOnce.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <map>
#include <set>

using namespace llvm;
using linesman::facts::CallKind;
using linesman::facts::Origin;
using linesman::facts::PointerUse;

namespace linesman::layout {

namespace {

/// All places that start one function.
struct Starts {
  size_t Places = 0;
  bool AreOnce = true;
  /// What they hand on: the start's argument is the first parameter.
  std::vector<const KeptUse *> Handed;
  std::set<std::pair<uint64_t, int64_t>> Addresses;
};

} // namespace

ThreadArguments::ThreadArguments(const PointerTable &Table,
                                 const CallGraph &Graph) {
  std::map<NodeIndex, Starts> ByEntry;
  const RunsOnce IsOnce(Graph);
  for (auto [N, Node] : enumerate(Graph.Nodes))
    for (const GraphEdge &E : Node.Edges)
      if (E.Kind == CallKind::Start && E.Callee != NoNode) {
        Starts &All = ByEntry[E.Callee];
        ++All.Places;
        All.AreOnce &= !E.InLoop && !E.IsOneForAll && IsOnce(N);
      }
  if (ByEntry.empty())
    return;
  for (const FunctionUses &Function : Table.functions())
    for (uint32_t I = Function.Begin; I != Function.End; ++I) {
      const KeptUse &Use = Table[I];
      if (Use.Kind != PointerUse::Handed || Use.SourceKind != Origin::Object ||
          Use.IsMay || !Use.HasOffset || Use.Destination == NoPlace ||
          Table.place(Use.Destination).Value != 0)
        continue;
      auto Entry = ByEntry.find(Table.calleeOf(Use));
      if (Entry == ByEntry.end())
        continue;
      Entry->second.Handed.push_back(&Use);
      Entry->second.Addresses.insert({Table.sourceOf(Use).Value, Use.Offset});
    }
  size_t Last = 0;
  for (const auto &[Entry, All] : ByEntry) {
    const size_t Known = All.Handed.size();
    if (!All.AreOnce || Known != All.Places || Known != All.Addresses.size() ||
        Last + Known > std::numeric_limits<uint16_t>::max())
      continue;
    for (const KeptUse *Use : All.Handed)
      Threads[Use] = ++Last;
  }
}

} // namespace linesman::layout
