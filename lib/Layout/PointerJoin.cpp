// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From uses of pointers to accesses of objects.
//
//  1. A use of an object's address by its name is certain; so is one of a
//     result that can only be one object.
//  2. A use of what a member or a variable holds may be of each object that is
//     ever stored there, or of one that has no symbol: each gets its share.
//  3. Handing an address to a function is what the function does to it, all in
//     all (PointerSummaries.h).

#include "linesman/Layout/PointerJoin.h"
#include "PointerSummaries.h"
#include "PointerTargets.h"
#include "linesman/Layout/Roles.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::Origin;
using linesman::facts::PointerUse;

namespace linesman::layout {

void PointerJoin::add(const facts::PointerFacts &Facts,
                      CallGraphBuilder &Graph) {
  bool IsInitial = Facts.Function.Kind == facts::FunctionRef::None;
  NodeIndex User = Graph.intern(Facts.Function);
  if (!IsInitial && (User == NoNode || !Known.insert(User).second))
    return;
  ++Functions;
  for (const PointerUse &Use : Facts.Uses)
    Uses.push_back(
        {Use, User, Graph.intern(Use.Source.Function),
         Graph.intern(Use.Kind == PointerUse::StoredThrough ? Use.Into.Function
                                                            : Use.Callee),
         Facts.HasProfile});
}

namespace {

class Joiner {
public:
  Joiner(const GraphUses &Uses, const CallGraph &Graph,
         function_ref<void(const facts::Fact &)> Visit)
      : Uses(Uses), Graph(Graph), Visit(Visit), Summary(Uses), PointsTo(Uses) {}

  JoinedPointers join() {
    for (const GraphUse &U : Uses)
      if (U.User != NoNode && Graph.Nodes[U.User].Address.Value)
        visit(U);
    return std::move(Result);
  }

private:
  const GraphUses &Uses;
  const CallGraph &Graph;
  function_ref<void(const facts::Fact &)> Visit;
  Summaries Summary;
  Targets PointsTo;
  JoinedPointers Result;
  facts::Fact Fact;

  void visit(const GraphUse &U);
  static Passage wayOf(const GraphUse &U);
  void useObject(const GraphUse &U, Target Spot, double Share, Passage Way);
  void hand(const GraphUse &U, Target Spot, const Passage &Way, double Share);
  void begin(const GraphUse &U, NodeIndex RunBy, Target Spot);
  facts::Access &addAccess(Target Spot, std::optional<int64_t> Offset,
                           Passage Way);
  void finish();
  bool startsThread(const GraphUse &U) const;
};

Passage Joiner::wayOf(const GraphUse &U) {
  Passage Way;
  Way.IsMay = Way.IsDoubtful = U.Use.IsMay;
  if (U.Use.Source.Kind == Origin::Field) {
    Way.Record = U.Use.Source.Record;
    Way.MemberOffset = U.Use.Source.Offset.value_or(0);
  } else if (U.Use.Source.Kind == Origin::Loaded) {
    Way.IsMember = true;
    Way.MemberOffset = U.Use.Source.Offset.value_or(0);
  } else if (U.Use.Source.Kind == Origin::Variable) {
    Way.Variable = {U.Use.Source.Value};
  }
  return Way;
}

void Joiner::visit(const GraphUse &U) {
  if (U.Use.Kind != PointerUse::Access && U.Use.Kind != PointerUse::Handed)
    return;
  switch (U.Use.Source.Kind) {
  case Origin::Object:
    if (U.Use.Source.Value)
      useObject(U, {U.Use.Source.Value, U.Use.Offset}, 1, wayOf(U));
    return;
  case Origin::Result:
  case Origin::Field:
  case Origin::Variable:
  case Origin::Loaded: {
    ArrayRef<Target> All = PointsTo.of(U);
    Result.Counts.TooMany += PointsTo.areTooMany(U);
    bool HasOthers = PointsTo.hasOthers(U);
    Passage Way = wayOf(U);
    Way.IsMay |= HasOthers || All.size() > 1;
    Way.IsDoubtful |= PointsTo.isGivenOthers(U);
    for (Target T : All) {
      // A test of identity is about the pointer, before its offset.
      if (U.Use.Except && T.Offset &&
          T.Object + uint64_t(*T.Offset) == U.Use.Except)
        continue;
      T.Offset = T.Offset && U.Use.Offset
                     ? std::optional(*T.Offset + *U.Use.Offset)
                     : std::nullopt;
      Passage Own = Way;
      if (T.IsByMember && !Own.IsMember) {
        Own.IsMember = Own.IsMay = true;
        Own.MemberOffset = UINT64_MAX;
      }
      useObject(U, T, 1.0 / double(All.size() + HasOthers), Own);
    }
    return;
  }
  case Origin::Parameter:
  case Origin::Unknown:
    return;
  }
}

/// Whether the callee runs on a thread of its own.
bool Joiner::startsThread(const GraphUse &U) const {
  const auto &Edges = Graph.Nodes[U.User].Edges;
  auto Is = [&](facts::CallKind Kind) {
    return any_of(Edges, [&](const GraphEdge &E) {
      return E.Kind == Kind && E.Callee == U.Callee;
    });
  };
  return Is(facts::CallKind::Start) && !Is(facts::CallKind::Direct);
}

void Joiner::begin(const GraphUse &U, NodeIndex RunBy, Target Spot) {
  const GraphNode &Node = Graph.Nodes[RunBy];
  Fact = facts::Fact();
  Fact.Function = Node.Address.Value;
  Fact.FunctionName = Node.Name;
  Fact.IsInitializer = Node.IsStartUp;
  Fact.HasProfile = U.HasProfile && RunBy == U.User;
  Fact.Object = Spot.Object;
}

facts::Access &Joiner::addAccess(Target Spot, std::optional<int64_t> Offset,
                                 Passage Way) {
  facts::Access &A = Fact.Accesses.emplace_back();
  // In front of its object is nothing that somebody means.
  if (Spot.Offset && Offset && *Spot.Offset + *Offset >= 0)
    A.Offset = *Spot.Offset + *Offset;
  Result.Counts.May += Way.IsMay;
  ++Result.Counts.Accesses;
  Result.Passages.push_back(std::move(Way));
  A.Passage = Result.Passages.size();
  return A;
}

void Joiner::finish() {
  if (!Fact.Accesses.empty())
    Visit(Fact);
}

void Joiner::useObject(const GraphUse &U, Target Spot, double Share,
                       Passage Way) {
  if (U.Use.Kind == PointerUse::Handed) {
    hand(U, Spot, Way, Share);
    return;
  }
  begin(U, U.User, Spot);
  facts::Access &A = addAccess(Spot, 0, std::move(Way));
  A.Kind = U.Use.Does;
  A.Size = U.Use.Size;
  A.Weight = U.Use.Weight * Share;
  A.File = U.Use.File;
  A.Line = U.Use.Line;
  A.Instruction = U.Use.Instruction;
  A.StagesBefore = U.Use.StagesBefore;
  A.OnceFlag = U.Use.OnceFlag;
  A.IsLocked = U.Use.IsLocked;
  A.HeldLock = U.Use.HeldLock;
  finish();
}

void Joiner::hand(const GraphUse &U, Target Spot, const Passage &Way,
                  double Share) {
  if (U.Callee == NoNode || !Summary.isKnown(U.Callee)) {
    Result.Counts.ToUnknown +=
        U.Callee == NoNode || Graph.Nodes[U.Callee].Address.Value == 0;
    return;
  }
  bool IsThreads = startsThread(U);
  begin(U, IsThreads ? U.Callee : U.User, Spot);
  for (const SummaryAccess &S : Summary.of({U.Callee, U.Use.Parameter})) {
    if (Spot.Offset &&
        is_contained(S.Except, Spot.Object + uint64_t(*Spot.Offset)))
      continue;
    Passage Handed = Way;
    Handed.IsMay |= S.IsMay;
    Handed.IsDoubtful |= S.IsMay;
    Handed.Site = S.Site;
    Handed.Callee = U.Callee;
    Handed.CallFile = U.Use.File;
    Handed.CallLine = U.Use.Line;
    Handed.CallInstruction = {U.Use.Instruction};
    facts::Access &A = addAccess(Spot, S.Offset, Handed);
    A.Kind = S.Kind;
    A.Size = S.Size;
    // A thread is one operation, however often it is started.
    A.Weight = S.Weight * Share *
               (IsThreads      ? 1
                : U.HasProfile ? U.Use.Weight
                               : std::min(U.Use.Weight, MaxPerCall));
    A.File = S.File;
    A.Line = S.Line;
    // What stands for many places is where the call is.
    A.Instruction = S.Instruction ? S.Instruction : U.Use.Instruction;
    A.OnceFlag = U.Use.OnceFlag ? U.Use.OnceFlag : S.OnceFlag;
    A.IsLocked = S.IsLocked || (U.Use.IsLocked && !IsThreads);
    A.HeldLock = U.Use.HeldLock && !IsThreads ? U.Use.HeldLock : S.HeldLock;
    if (!IsThreads)
      A.StagesBefore = U.Use.StagesBefore;
  }
  finish();
}

} // namespace

JoinedPointers
PointerJoin::join(const CallGraph &Graph,
                  function_ref<void(const facts::Fact &)> Visit) && {
  JoinedPointers Result = Joiner(Uses, Graph, Visit).join();
  Result.Counts.Functions = Functions;
  for (Passage &P : Result.Passages) {
    if (P.Site != NoNode) {
      P.SiteAddress = Graph.Nodes[P.Site].Address;
      P.SiteName = Graph.Nodes[P.Site].Name;
    }
    if (P.Callee != NoNode)
      P.CalleeName = Graph.Nodes[P.Callee].Name;
  }
  return Result;
}

} // namespace linesman::layout
