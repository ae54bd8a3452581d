// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The join of facts and image.

#include "linesman/Layout/Accesses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace linesman::layout {

AccessJoin::AccessJoin(const Image &Of, std::vector<LinkAddress> StartUp)
    : Of(Of), StartUp(std::move(StartUp)) {}

uint32_t AccessJoin::internFunction(const facts::Fact &Fact) {
  // Facts of a function are neighbours in their contribution.
  std::vector<Function> &Known = Table.Functions;
  if (!Known.empty() && Known.back().Address.Value == Fact.Function)
    return Known.size() - 1;
  LinkAddress Address{Fact.Function};
  bool IsStartUp = Fact.IsInitializer || Fact.FunctionName == "main" ||
                   binary_search(StartUp, Address);
  Known.push_back(
      {Address,
       Fact.FunctionName,
       {{IsStartUp ? StartUpRole : ConcurrentRole, 1, std::nullopt}},
       Fact.HasProfile});
  return Known.size() - 1;
}

void AccessJoin::add(const facts::Fact &Fact) {
  if (!Fact.Object)
    return; // in another module, and counted by the decoder
  LinkAddress Address{Fact.Object};
  std::optional<OccupantIndex> Occupant = Of.occupantAt(Address);
  if (!Occupant) {
    bool Elsewhere = any_of(Of.sections(), [&](const Section &S) {
      return S.Range.contains(Address);
    });
    ++(Elsewhere ? Table.Counts.NotShared : Table.Counts.Unplaced);
    return;
  }
  if (Of.occupants()[*Occupant].Kind != OccupantKind::Object) {
    ++Table.Counts.Unplaced;
    return;
  }

  // The fact's object may be an alias inside the owner's bytes.
  const Symbol &Owner = Of.symbol(*Occupant);
  uint64_t Shift = Address - Owner.Address;
  uint32_t Function = internFunction(Fact);
  AccessedObject Object;
  Object.Symbol = Of.occupants()[*Occupant].Symbol;
  Object.DeclFile = Fact.DeclFile;
  Object.DeclLine = Fact.DeclLine;
  for (const facts::Access &A : Fact.Accesses) {
    ObjectAccess Joined{Function, A.Kind, std::nullopt, A.Size,
                        A.Weight, A.File, A.Line,       A.StagesBefore};
    if (A.Offset && *A.Offset + Shift < Owner.Size) {
      Joined.Offset = *A.Offset + Shift;
      Joined.Size = std::min(A.Size, Owner.Size - *Joined.Offset);
    }
    Object.Accesses.push_back(Joined);
  }
  Table.Objects.push_back(std::move(Object));
}

AccessTable AccessJoin::finish() && {
  // One entry an object, with the facts in their order in the file.
  std::vector<AccessedObject> &Objects = Table.Objects;
  stable_sort(Objects, [](const AccessedObject &A, const AccessedObject &B) {
    return A.Symbol < B.Symbol;
  });
  auto Last = Objects.begin();
  for (auto It = Objects.begin(); It != Objects.end(); ++It) {
    if (It == Last)
      continue;
    if (It->Symbol == Last->Symbol) {
      append_range(Last->Accesses, It->Accesses);
      if (Last->DeclFile.empty()) {
        Last->DeclFile = It->DeclFile;
        Last->DeclLine = It->DeclLine;
      }
    } else if (++Last != It) {
      *Last = std::move(*It);
    }
  }
  if (!Objects.empty())
    Objects.erase(std::next(Last), Objects.end());
  return std::move(Table);
}

const AccessedObject *AccessTable::find(uint32_t Symbol) const {
  auto It = lower_bound(Objects, Symbol,
                        [](const AccessedObject &Object, uint32_t Wanted) {
                          return Object.Symbol < Wanted;
                        });
  return It != Objects.end() && It->Symbol == Symbol ? &*It : nullptr;
}

SmallVector<RoleShare, 2>
AccessTable::sharesOf(const ObjectAccess &Access) const {
  SmallVector<RoleShare, 2> Shares;
  for (const RoleShare &S : Functions[Access.Function].RunBy) {
    bool IsBefore =
        S.After && Access.StagesBefore && *Access.StagesBefore <= *S.After;
    if (IsBefore || Roles[S.Role].Kind == RoleKind::StartUp)
      continue;
    Shares.push_back({S.Role, Access.Weight * S.Weight, std::nullopt});
  }
  return Shares;
}

double AccessTable::concurrentWeight(const ObjectAccess &Access) const {
  double Sum = 0;
  for (const RoleShare &S : sharesOf(Access))
    Sum += S.Weight;
  return Sum;
}

/// Shares of a whole, for what is counted already.
static void splitEvenly(RoleShares &Shares) {
  double Sum = 0;
  for (const RoleShare &S : Shares)
    Sum += S.Weight;
  for (RoleShare &S : Shares)
    S.Weight = Sum > 0 ? S.Weight / Sum : 0;
}

void AccessTable::setRoles(RoleAssignment Assigned, const CallGraph &Graph) {
  Roles = std::move(Assigned.Roles);
  DenseMap<uint64_t, NodeIndex> NodeAt;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (Node.Address.Value)
      NodeAt[Node.Address.Value] = N;
  for (Function &F : Functions) {
    RoleShares &OfNode = Assigned.OfNode[NodeAt.at(F.Address.Value)];
    if (OfNode.empty())
      F.RunBy = {{StartUpRole, 1, std::nullopt}};
    else
      F.RunBy = OfNode;
    if (F.HasProfile)
      splitEvenly(F.RunBy);
  }
}

void AccessTable::reweigh(function_ref<double(LinkAddress)> SamplesOf) {
  constexpr double Unseen = 0.5;
  std::vector<double> Sums(Functions.size());
  for (const AccessedObject &Object : Objects)
    for (const ObjectAccess &A : Object.Accesses)
      Sums[A.Function] += A.Weight;
  for (AccessedObject &Object : Objects)
    for (ObjectAccess &A : Object.Accesses)
      if (Sums[A.Function] > 0)
        A.Weight *= std::max(SamplesOf(Functions[A.Function].Address), Unseen) /
                    Sums[A.Function];
  for (Function &F : Functions)
    splitEvenly(F.RunBy);
}

} // namespace linesman::layout
