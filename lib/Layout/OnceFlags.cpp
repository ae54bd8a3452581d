// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// if (!x) x = ...: what one function shows, the whole binary must confirm. A
// flag is one if all that write it outside of start-up are behind its own test,
// or store something else than zero, or end the library, or answer a signal:
// nobody opens the door again, or few do. Of other flags what is behind the
// door runs at most as often as somebody opens it. Where a call is behind a
// test, the callee may be what sets the flag, and what it does with what it is
// given is behind the flag, too. Of a thread's own flag the callee must do
// that: who else writes it is not known.

#include "Endings.h"
#include "Score.h"
#include "linesman/Facts/Shares.h"
#include "linesman/Layout/Accesses.h"
#include "linesman/Layout/CallGraph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace linesman::layout {

/// Whether a pointer to \p Flag may be what code has. Bytes without a symbol
/// are one object where accesses overlap, and may be many: there it is only
/// where such a pointer is seen to arrive.
static bool isPointedTo(const AccessedObject &Object, const Symbol &Owner,
                        LinkAddress Flag) {
  return Owner.Origin != SymbolOrigin::Anonymous ||
         any_of(Object.Accesses, [&](const ObjectAccess &A) {
           std::optional<AddressRange> Bytes = bytesOf(A, Owner);
           return A.Passage && (Bytes ? Bytes->contains(Flag)
                                      : Owner.Address + A.first() == Flag);
         });
}

static bool mayWrite(const ObjectAccess &A, const Symbol &Owner,
                     LinkAddress Flag, bool IsPointedTo) {
  return A.writes() && reachOf(A, Owner).contains(Flag) &&
         (A.offset() || !A.Passage || IsPointedTo);
}

/// Functions, by their addresses, all of whose calls are right behind the test
/// of one flag, and which that is.
using EntryFlags = DenseMap<uint64_t, uint64_t>;

static EntryFlags findEntryFlags(const CallGraph &Graph) {
  std::vector<std::optional<uint64_t>> OfNode(Graph.Nodes.size());
  for (auto [N, Node] : enumerate(Graph.Nodes)) {
    if (Node.IsExported)
      OfNode[N] = 0;
    for (const GraphEdge &E : Node.Edges) {
      if (E.Callee == NoNode)
        continue;
      uint64_t Flag = E.Kind == facts::CallKind::Direct ? E.OnceFlag : 0;
      std::optional<uint64_t> &Known = OfNode[E.Callee];
      if (Known.value_or(Flag) != Flag)
        Flag = 0;
      Known = Flag;
    }
  }
  EntryFlags Flags;
  for (auto [N, Flag] : enumerate(OfNode))
    if (Flag.value_or(0) && Graph.Nodes[N].Address.Value)
      Flags[Graph.Nodes[N].Address.Value] = *Flag;
  return Flags;
}

/// Drops the flags of calls that neither the caller nor the callee sets.
static void dropUnset(const AccessTable &Table, const Image &Program,
                      const EntryFlags &Entries, CallGraph &Graph) {
  DenseSet<uint64_t> Tested;
  for (const GraphNode &Node : Graph.Nodes)
    for (const GraphEdge &E : Node.Edges)
      if (E.OnceFlag)
        Tested.insert(FlagForm::addressOf(E.OnceFlag));
  if (Tested.empty())
    return;
  // By function and flag.
  DenseSet<std::pair<uint64_t, uint64_t>> Written, Set, SetBehind;
  for (const AccessedObject &Object : Table.objects()) {
    LinkAddress Begin = Program.symbols()[Object.Symbol].Address;
    for (const ObjectAccess &A : Object.Accesses) {
      if (!A.writes() || !A.offset() || Table.isMay(A) ||
          !Tested.contains((Begin + *A.offset()).Value))
        continue;
      std::pair Writer(Table.functions()[A.Function].Address.Value,
                       (Begin + *A.offset()).Value);
      Written.insert(Writer);
      const AccessDetail &Detail = Table.detailOf(A);
      if (FlagForm::addressOf(Detail.OnceFlag) == Writer.second)
        SetBehind.insert({Writer.first, Detail.OnceFlag});
      for (uint64_t Flag : {Writer.second, FlagForm::minusAt(Writer.second)})
        if (A.StoresConstant && FlagForm::isSetBy(Flag, Detail.Stored, A.Size))
          Set.insert({Writer.first, Flag});
    }
  }
  // Rust makes a thread's own variables when they are first asked for, in a
  // function that is given their address.
  const bool HasClosures = any_of(
      Graph.Nodes, [](const GraphNode &N) { return !N.Closures.empty(); });
  auto SetsOwn = [&](const GraphEdge &E) {
    if (E.Callee == NoNode)
      return false;
    const uint64_t Callee = Graph.Nodes[E.Callee].Address.Value;
    return Graph.OwnFlagsSet.contains({Callee, E.OnceFlag}) ||
           (HasClosures && Entries.lookup(Callee) == E.OnceFlag);
  };
  // By the caller, or by the callee.
  auto IsSet = [&](const GraphNode &Caller, const GraphEdge &E) {
    uint64_t Flag = FlagForm::addressOf(E.OnceFlag);
    if (Written.contains({Caller.Address.Value, Flag}))
      return true;
    if (E.Callee == NoNode)
      return false;
    uint64_t Callee = Graph.Nodes[E.Callee].Address.Value;
    // Or what it is given behind the test leads to the flag.
    return SetBehind.contains({Callee, E.OnceFlag}) ||
           Set.contains({Callee, E.OnceFlag}) ||
           (Entries.lookup(Callee) == E.OnceFlag &&
            Written.contains({Callee, Flag}));
  };
  for (GraphNode &Node : Graph.Nodes)
    for (GraphEdge &E : Node.Edges)
      if (OwnFlag::isOne(E.OnceFlag)) {
        if (!SetsOwn(E))
          E.OnceFlag = 0;
      } else if (E.OnceFlag && !IsSet(Node, E)) {
        E.OnceFlag = 0;
      }
}

/// Functions, by their addresses, that only signals run, or the process's end.
static DenseSet<uint64_t> findRarelyRun(const CallGraph &Graph) {
  enum : uint8_t { Unknown, Rarely, Otherwise };
  std::vector<uint8_t> Runs(Graph.Nodes.size(), Unknown);
  for (auto [N, Node] : enumerate(Graph.Nodes)) {
    if (Node.IsExported)
      Runs[N] = Otherwise;
    for (const GraphEdge &E : Node.Edges)
      if (E.Callee != NoNode) {
        const bool IsRare =
            E.Kind == facts::CallKind::Direct && E.Weight <= OnceShare;
        Runs[E.Callee] =
            std::max<uint8_t>(Runs[E.Callee], IsRare ? Rarely : Otherwise);
      }
  }
  DenseSet<uint64_t> Result;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (Runs[N] == Rarely && Node.Address.Value)
      Result.insert(Node.Address.Value);
  return Result;
}

/// if (!log.file) open_log(&log, &lines): flags that all calls of a callee are
/// behind, by the caller's address and the callee.
using CallFlags = DenseMap<std::pair<uint64_t, NodeIndex>, uint64_t>;

static CallFlags findCallFlags(const CallGraph &Graph) {
  CallFlags Found;
  for (const GraphNode &Node : Graph.Nodes)
    for (const GraphEdge &E : Node.Edges)
      if (E.OnceFlag && E.Callee != NoNode)
        Found[{Node.Address.Value, E.Callee}] = E.OnceFlag;
  if (Found.empty())
    return Found;
  for (const GraphNode &Node : Graph.Nodes)
    for (const GraphEdge &E : Node.Edges)
      if (auto It = Found.find({Node.Address.Value, E.Callee});
          It != Found.end() && It->second != E.OnceFlag &&
          E.Kind != facts::CallKind::Address)
        Found.erase(It);
  return Found;
}

/// What callees do with objects that they are given behind a flag.
void AccessTable::spreadCallFlags(const CallGraph &Graph) {
  const CallFlags Calls = findCallFlags(Graph);
  if (Calls.empty())
    return;
  for (ObjectAccess &A : Accesses) {
    AccessDetail Detail = detailOf(A);
    if (!A.Passage || Detail.OnceFlag)
      continue;
    Detail.OnceFlag = Calls.lookup({Functions[A.Function].Address.Value,
                                    Passages.calleeOf(A.Passage - 1)});
    if (!Detail.OnceFlag)
      continue;
    if (Detail != Details.back())
      Details.push_back(Detail);
    A.Detail = Details.size() - 1;
  }
}

void AccessTable::settleOnceFlags(const Image &Program, CallGraph &Graph) {
  const EntryFlags Entries = findEntryFlags(Graph);
  dropUnset(*this, Program, Entries, Graph);
  spreadCallFlags(Graph);
  // Whether it is behind the flag's test, or stores something else than what
  // the flag is before.
  auto LeavesSet = [&](const ObjectAccess &A, uint64_t Flag) {
    if (A.StoresConstant && FlagForm::isSetBy(Flag, detailOf(A).Stored, A.Size))
      return true;
    return !FlagForm::isFirst(Flag) &&
           (detailOf(A).OnceFlag == Flag ||
            Entries.lookup(Functions[A.Function].Address.Value) == Flag);
  };
  DenseSet<uint64_t> Once;
  for (const AccessDetail &D : Details)
    if (D.OnceFlag)
      Once.insert(D.OnceFlag);
  for (const GraphNode &Node : Graph.Nodes)
    for (const GraphEdge &E : Node.Edges)
      if (E.OnceFlag)
        Once.insert(E.OnceFlag);
  if (Once.empty())
    return;
  const DenseSet<uint64_t> Ends = findEndings(*this, Program, Graph, Once);
  const DenseSet<uint64_t> RarelyRun = findRarelyRun(Graph);
  SmallVector<uint64_t, 0> Flags(Once.begin(), Once.end());
  for (uint64_t Flag : Flags) {
    if (OwnFlag::isOne(Flag))
      continue;
    uint64_t Address = FlagForm::addressOf(Flag);
    std::optional<OccupantIndex> Occupant = Program.occupantAt({Address});
    const AccessedObject *Object =
        Occupant && Program.occupants()[*Occupant].Kind == OccupantKind::Object
            ? find(Program.occupants()[*Occupant].Symbol)
            : nullptr;
    // What is given the flag's address may only look at it.
    bool IsSet = false, IsCleared = false;
    Door Found{Flag, {}, {}};
    if (Object) {
      const Symbol &Owner = Program.symbol(*Occupant);
      bool ByPointer = isPointedTo(*Object, Owner, {Address});
      for (const ObjectAccess &A : Object->Accesses)
        if (mayWrite(A, Owner, {Address}, ByPointer)) {
          bool Leaves = LeavesSet(A, Flag);
          IsSet |= Leaves;
          const uint64_t Writer = Functions[A.Function].Address.Value;
          IsCleared |= !Leaves && isConcurrent(A) && !Ends.contains(Writer) &&
                       !RarelyRun.contains(Writer);
          if (!Leaves)
            Found.Opens.push_back(&A - Accesses.begin());
          else if (detailOf(A).OnceFlag == Flag)
            Found.Sets.push_back(&A - Accesses.begin());
        }
    }
    if (IsSet && IsCleared && !Found.Sets.empty())
      Doors.push_back(std::move(Found));
    if (!IsSet || IsCleared)
      Once.erase(Flag);
  }
  for (ObjectAccess &A : Accesses) {
    const uint64_t Flag = detailOf(A).OnceFlag;
    A.IsBehindFlag = Flag && !FlagForm::isFirst(Flag);
    if (Flag && Once.contains(Flag))
      A.Weight *= OnceShare;
    if (!Ends.empty() && Ends.contains(Functions[A.Function].Address.Value))
      A.Weight *= SetUpWeight;
  }
  for (GraphNode &Node : Graph.Nodes)
    for (GraphEdge &E : Node.Edges)
      if (E.OnceFlag && Once.contains(E.OnceFlag))
        E.Weight *= OnceShare;
}

/// if (!file) file = open(); where a rotation of logs closes it: what is behind
/// the door runs as often as that. How often another role opens it is not
/// known: its turns are no turns of those who close the door.
void AccessTable::narrowDoors() {
  DenseMap<uint64_t, double> Shares;
  for (const Door &D : Doors) {
    auto Weigh = [&](ArrayRef<uint32_t> Writes) {
      std::map<RoleIndex, double> Result;
      for (uint32_t I : Writes)
        visitShares(Accesses[I], [&](const RoleShare &S, double Weight) {
          Result[S.Role] += Weight;
        });
      return Result;
    };
    const std::map<RoleIndex, double> Sets = Weigh(D.Sets);
    double SetSum = 0, OpenSum = 0;
    for (auto [Role, Weight] : Sets)
      SetSum += Weight;
    bool IsByOthers = false;
    for (auto [Role, Weight] : Weigh(D.Opens)) {
      OpenSum += Weight;
      IsByOthers |= Weight > facts::PacedShare && !Sets.contains(Role);
    }
    if (OpenSum < SetSum && !IsByOthers)
      Shares[D.Flag] = std::max(OpenSum / SetSum, OnceShare);
  }
  if (Shares.empty())
    return;
  for (ObjectAccess &A : Accesses)
    if (const uint64_t Flag = detailOf(A).OnceFlag;
        Flag && !Functions[A.Function].HasProfile)
      if (auto It = Shares.find(Flag); It != Shares.end())
        A.Weight *= It->second;
}

} // namespace linesman::layout
