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
#include "ThreadArguments.h"
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
  if (!IsInitial) {
    if (User == NoNode)
      return;
    if (User >= Known.size())
      Known.resize(User + 1);
    if (Known[User])
      return;
    Known[User] = true;
  }
  Table.add(Facts, User, Graph);
}

namespace {

class Joiner {
public:
  Joiner(const PointerTable &Table, const CallGraph &Graph,
         function_ref<void(const facts::Fact &)> Visit)
      : Table(Table), Graph(Graph), Visit(Visit), Summary(Table),
        PointsTo(Table), Arguments(Table, Graph) {}

  void join() {
    for (const FunctionUses &Function : Table.functions()) {
      if (Function.User == NoNode || !Graph.Nodes[Function.User].Address.Value)
        continue;
      Current = Function;
      for (uint32_t I = Function.Begin; I != Function.End; ++I)
        visit(Table[I]);
    }
  }
  PointerCounts Counts;
  std::deque<KeptPassage> Passages;

private:
  const PointerTable &Table;
  const CallGraph &Graph;
  function_ref<void(const facts::Fact &)> Visit;
  Summaries Summary;
  Targets PointsTo;
  ThreadArguments Arguments;
  FunctionUses Current;
  facts::Fact Fact;

  void visit(const KeptUse &Use);
  void useObject(const KeptUse &Use, Target Source, double Share,
                 const KeptPassage &Way);
  void hand(const KeptUse &Use, Target Source, double Share,
            const KeptPassage &Way);
  void begin(NodeIndex RunBy, Target Source);
  facts::Access &addAccess(Displacement Spot, const KeptPassage &Way);
  void finish();
  bool startsThread(NodeIndex Callee) const;
};

void Joiner::visit(const KeptUse &Use) {
  if (Use.Kind != PointerUse::Access && Use.Kind != PointerUse::Handed)
    return;
  KeptPassage Way;
  Way.Source = Use.Source;
  Way.IsMay = Way.IsDoubtful = Use.IsMay;
  Way.IsMember = Use.SourceKind == Origin::Loaded;
  switch (Use.SourceKind) {
  case Origin::Object:
    if (uint64_t Object = Table.sourceOf(Use).Value)
      useObject(Use, {Object, 0, /*HasOffset=*/true}, 1, Way);
    return;
  case Origin::Result:
  case Origin::Field:
  case Origin::Variable:
  case Origin::Loaded: {
    Pointees Known = PointsTo.of(Use);
    Counts.TooMany += Known.AreTooMany;
    Way.IsMay |= Known.HaveOthers || Known.Targets.size() > 1;
    Way.IsDoubtful |= Known.AreGivenOthers;
    uint64_t Except = Table.conditionOf(Use).Except;
    for (Target T : Known.Targets) {
      // A test of identity is about the pointer, before its offset.
      if (Except && T.HasOffset && T.address() == Except)
        continue;
      KeptPassage Own = Way;
      if (T.IsByMember && !Own.IsMember)
        Own.IsMember = Own.IsFarMember = Own.IsMay = true;
      useObject(Use, T, 1.0 / double(Known.Targets.size() + Known.HaveOthers),
                Own);
    }
    return;
  }
  case Origin::Parameter:
  case Origin::Unknown:
    return;
  }
}

/// Whether the callee runs on a thread of its own.
bool Joiner::startsThread(NodeIndex Callee) const {
  const auto &Edges = Graph.Nodes[Current.User].Edges;
  auto Is = [&](facts::CallKind Kind) {
    return any_of(Edges, [&](const GraphEdge &E) {
      return E.Kind == Kind && E.Callee == Callee;
    });
  };
  return Is(facts::CallKind::Start) && !Is(facts::CallKind::Direct);
}

void Joiner::begin(NodeIndex RunBy, Target Source) {
  const GraphNode &Node = Graph.Nodes[RunBy];
  Fact.Accesses.clear();
  Fact.Function = Node.Address.Value;
  Fact.FunctionName = Node.Name;
  Fact.IsInitializer = Node.IsStartUp;
  Fact.HasProfile = Current.HasProfile && RunBy == Current.User;
  Fact.Object = Source.Object;
}

/// \p Spot is from the object's begin.
facts::Access &Joiner::addAccess(Displacement Spot, const KeptPassage &Way) {
  facts::Access &A = Fact.Accesses.emplace_back();
  // In front of its object is nothing that somebody means.
  if (Spot.isConstant() && Spot.Constant >= 0)
    A.Offset = Spot.Constant;
  if (Spot.isElement()) {
    A.Stride = Spot.Stride;
    A.First = facts::firstPlace(Spot.Constant, Spot.Stride);
  }
  Counts.May += Way.IsMay;
  ++Counts.Accesses;
  Passages.push_back(Way);
  A.Passage = Passages.size();
  return A;
}

void Joiner::finish() {
  if (!Fact.Accesses.empty())
    Visit(Fact);
}

/// \p Source is where the pointer points before the use's own offset.
void Joiner::useObject(const KeptUse &Use, Target Source, double Share,
                       const KeptPassage &Way) {
  if (Use.Kind == PointerUse::Handed) {
    hand(Use, Source, Share, Way);
    return;
  }
  const Condition &Precondition = Table.conditionOf(Use);
  begin(Current.User, Source);
  const Displacement Spot =
      Displacement::of(Source.offset()) + Use.displacement();
  facts::Access &A = addAccess(Spot, Way);
  A.IsByThread = Use.IsByThread && Spot.isElement();
  A.Kind = Use.Does;
  A.Size = Use.Size;
  A.Weight = Use.Weight * Share;
  A.File = Table.file(Use.File);
  A.Line = Use.Line;
  A.Instruction = Use.Instruction;
  A.StagesBefore = Use.stagesBefore();
  A.OnceFlag = Precondition.OnceFlag;
  A.IsLocked = Precondition.IsLocked;
  A.IsLock = Use.IsLock && !Use.IsMay;
  A.HeldLock = Precondition.HeldLock;
  finish();
}

void Joiner::hand(const KeptUse &Use, Target Source, double Share,
                  const KeptPassage &Way) {
  NodeIndex Callee = Table.calleeOf(Use);
  if (Callee == NoNode || !Summary.isKnown(Callee)) {
    Counts.ToUnknown +=
        Callee == NoNode || Graph.Nodes[Callee].Address.Value == 0;
    return;
  }
  const Condition &Precondition = Table.conditionOf(Use);
  bool IsThreads = startsThread(Callee);
  begin(IsThreads ? Callee : Current.User, Source);
  Target Given = Source;
  Given.move(Use.offset());
  const Displacement Start =
      Displacement::of(Source.offset()) + Use.displacement();
  // Who starts threads with elements gives each of them another one.
  const bool IsByThread = Start.isElement() && (Use.IsByThread || IsThreads);
  for (const SummaryAccess &S : Summary.of(Use.Destination)) {
    if (Given.HasOffset && is_contained(S.Except, Given.address()))
      continue;
    KeptPassage Handed = Way;
    Handed.IsMay |= S.IsMay;
    Handed.IsDoubtful |= S.IsMay;
    Handed.Thread = IsThreads ? Arguments.threadOf(Use) : 0;
    Handed.Site = S.Site;
    Handed.Callee = Callee;
    Handed.CallFile = Use.File;
    Handed.CallLine = Use.Line;
    Handed.CallInstruction = Use.Instruction;
    Displacement Spot = S.Spot;
    uint64_t Size = S.Size;
    moveInto(Start, Spot, Size);
    facts::Access &A = addAccess(Spot, Handed);
    A.IsByThread = IsByThread && Spot.Stride == Start.Stride;
    A.Kind = S.Kind;
    A.Size = Size;
    // A thread is one operation, however often it is started.
    A.Weight = S.Weight * Share *
               (IsThreads            ? 1
                : Current.HasProfile ? Use.Weight
                                     : std::min(Use.Weight, MaxPerCall));
    A.File = Table.file(S.File);
    A.Line = S.Line;
    // What stands for many places is where the call is.
    A.Instruction = S.Instruction ? S.Instruction : Use.Instruction;
    A.OnceFlag = Precondition.OnceFlag ? Precondition.OnceFlag : S.OnceFlag;
    A.IsLock = S.IsLock && !Handed.IsMay;
    A.IsLocked = S.IsLocked || (Precondition.IsLocked && !IsThreads);
    A.HeldLock = Precondition.HeldLock && !IsThreads ? Precondition.HeldLock
                                                     : S.HeldLock;
    if (!IsThreads)
      A.StagesBefore = Use.stagesBefore();
  }
  finish();
}

} // namespace

JoinedPointers
PointerJoin::join(const CallGraph &Graph,
                  function_ref<void(const facts::Fact &)> Visit) && {
  Table.finish();
  JoinedPointers Result;
  std::deque<KeptPassage> All;
  {
    Joiner Join(Table, Graph, Visit);
    Join.join();
    Result.Counts = Join.Counts;
    All = std::move(Join.Passages);
  }
  Result.Counts.Functions = Table.functions().size();
  Result.Passages = Passages(std::move(Table), std::move(All), Graph);
  return Result;
}

} // namespace linesman::layout
