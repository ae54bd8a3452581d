// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways of addresses, from their numbers.

#include "linesman/Layout/Passages.h"

using linesman::facts::Origin;

namespace linesman::layout {

Passages::Passages(PointerTable Table, std::deque<KeptPassage> All,
                   const CallGraph &Graph)
    : Table(std::move(Table)), All(std::move(All)) {
  this->Table.dropUses();
  Functions.reserve(Graph.Nodes.size());
  for (const GraphNode &Node : Graph.Nodes)
    Functions.push_back({Node.Address, Node.Name});
}

Passage Passages::operator[](size_t Number) const {
  const KeptPassage &Kept = All[Number];
  Passage Way;
  Way.IsMay = Kept.IsMay;
  Way.IsDoubtful = Kept.IsDoubtful;
  Way.IsMember = Kept.IsMember;
  const Place &Source = Table.place(Kept.Source);
  if (Source.Kind == Origin::Field) {
    Way.Record = Table.record(Source.Record);
    Way.MemberOffset = uint64_t(Source.Offset);
  } else if (Source.Kind == Origin::Loaded) {
    Way.MemberOffset = uint64_t(Source.Offset);
  } else if (Source.Kind == Origin::Variable) {
    Way.Variable = {Source.Value};
  }
  if (Kept.IsFarMember)
    Way.MemberOffset = UINT64_MAX;
  if (Kept.Site != NoNode) {
    Way.Site = Kept.Site;
    Way.SiteAddress = Functions[Kept.Site].Address;
    Way.SiteName = Functions[Kept.Site].Name;
  }
  if (Kept.Callee != NoNode) {
    Way.Callee = Kept.Callee;
    Way.CalleeName = Functions[Kept.Callee].Name;
    Way.CallFile = Table.file(Kept.CallFile);
    Way.CallLine = Kept.CallLine;
    Way.CallInstruction = {Kept.CallInstruction};
  }
  return Way;
}

} // namespace linesman::layout
