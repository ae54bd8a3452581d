// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The join of facts and image.

#include "linesman/Layout/Accesses.h"
#include "SetUp.h"
#include "linesman/Facts/KnownThreads.h"
#include "linesman/Layout/RadixOrder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>
#include <utility>

using namespace llvm;

namespace linesman::layout {

AccessJoin::AccessJoin(const Image &Program, std::vector<LinkAddress> StartUp)
    : Program(Program), StartUp(std::move(StartUp)) {
  assert(llvm::is_sorted(this->StartUp) && "it is searched");
}

uint32_t AccessJoin::internFunction(const facts::Fact &Fact) {
  // Facts of a function are neighbours in their contribution.
  std::vector<Function> &Known = Table.Functions;
  if (!Known.empty() && Known.back().Address.Value == Fact.Function)
    return Known.size() - 1;
  LinkAddress Address{Fact.Function};
  bool IsStartUp = Fact.IsInitializer || Fact.FunctionName == "main" ||
                   binary_search(StartUp, Address);
  // Of a library whose calls are not read, too.
  const bool IsLifeCycle =
      !Fact.Accesses.empty() && Fact.Accesses.front().Instruction &&
      soundsLikeLifeCycle(Fact.FunctionName, /*IsForOthers=*/true);
  const uint32_t Shares = IsStartUp     ? AccessTable::SharesOfStartUp
                          : IsLifeCycle ? AccessTable::SharesOfLifeCycle
                                        : AccessTable::SharesOfAll;
  Known.push_back(
      {Address, Fact.FunctionName, /*EntryLock=*/0, Shares, Fact.HasProfile});
  return Known.size() - 1;
}

uint32_t AccessJoin::internFile(StringRef File) {
  if (File.empty())
    return 0;
  // Mostly it is the one before.
  if (File.data() == Table.Files[LastFile].data())
    return LastFile;
  auto [It, IsNew] = FileNumbers.try_emplace(File.data(), Table.Files.size());
  if (IsNew)
    Table.Files.push_back(File);
  return LastFile = It->second;
}

uint32_t AccessJoin::internDetail(const facts::Access &A) {
  AccessDetail Detail{A.Offset ? 0 : A.Stride, A.Stored.value_or(0), A.OnceFlag,
                      A.HeldLock, A.Guard};
  if (Detail == AccessDetail())
    return 0;
  // Accesses that hold one lock come one after the other.
  if (Detail != Table.Details.back())
    Table.Details.push_back(Detail);
  return Table.Details.size() - 1;
}

void AccessJoin::add(const facts::Fact &Fact) {
  if (!Fact.Object)
    return; // in another module, and counted by the decoder
  Facts.push_back({{Fact.Object},
                   internFile(Fact.DeclFile),
                   Fact.DeclLine,
                   uint32_t(Table.Accesses.size()),
                   uint32_t(Fact.Accesses.size())});
  uint32_t Function = internFunction(Fact);
  const bool IsOnce = Once.contains({Fact.Object});
  auto WeightOf = [&](const facts::Access &A) {
    return IsOnce && A.Kind != facts::AccessKind::Read
               ? A.Weight * facts::OnceShare
               : A.Weight;
  };
  for (const facts::Access &A : Fact.Accesses) {
    if (A.HeldLock)
      Table.Locks.insert(A.HeldLock);
    if (A.IsLock && A.Offset)
      Table.Locks.insert(Fact.Object + *A.Offset);
    Table.Accesses.emplace_back(A, WeightOf(A), Function, internFile(A.File),
                                internDetail(A));
  }
}

bool AccessJoin::isStartUp(const Pending &Fact) const {
  return Fact.Count &&
         binary_search(
             StartUp,
             Table.Functions[Table.Accesses[Fact.First].Function].Address);
}

std::vector<AddressRange> AccessJoin::unownedBytes() const {
  std::vector<AddressRange> Gaps;
  for (auto [Index, S] : enumerate(Program.sections())) {
    if (S.Kind != SectionKind::Data)
      continue;
    OccupantIndex First = Program.firstOccupantOf(Index);
    for (auto [I, O] : enumerate(Program.occupantsOf(Index)))
      if (O.Kind == OccupantKind::NoSymbol)
        Gaps.push_back(Program.range(First + I));
  }
  llvm::sort(Gaps);
  std::vector<AddressRange> Found;
  if (Gaps.empty())
    return Found;
  for (const Pending &Fact : Facts) {
    for (const ObjectAccess &A :
         ArrayRef(Table.Accesses).slice(Fact.First, Fact.Count)) {
      LinkAddress Begin = Fact.Object + A.offset().value_or(0);
      auto Gap =
          partition_point(Gaps, [&](AddressRange G) { return G.End <= Begin; });
      // What only start-up code touches needs no name: it is no finding.
      if (Gap != Gaps.end() && Gap->contains(Begin) && !isStartUp(Fact))
        Found.push_back(
            {Begin, Begin + std::clamp<uint64_t>(A.Size, 1, Gap->End - Begin)});
    }
  }
  llvm::sort(Found);
  size_t Kept = 0;
  for (AddressRange R : Found)
    if (Kept && R.Begin < Found[Kept - 1].End)
      Found[Kept - 1].End = std::max(Found[Kept - 1].End, R.End);
    else
      Found[Kept++] = R;
  Found.resize(Kept);
  return Found;
}

/// The Object occupant of an address; counts what has none. \p Hint is the
/// one before.
std::optional<OccupantIndex> AccessJoin::findObject(LinkAddress Address,
                                                    OccupantIndex &Hint) {
  std::optional<OccupantIndex> Occupant = Program.occupantAt(Address, Hint);
  if (!Occupant) {
    bool Elsewhere = any_of(Program.sections(), [&](const Section &S) {
      return S.Range.contains(Address);
    });
    ++(Elsewhere ? Table.Counts.NotShared : Table.Counts.Unplaced);
    return std::nullopt;
  }
  Hint = *Occupant;
  if (Program.occupants()[*Occupant].Kind == OccupantKind::Object)
    return Occupant;
  ++(Program.occupants()[*Occupant].Kind == OccupantKind::Linker
         ? Table.Counts.NotShared
         : Table.Counts.Unplaced);
  return std::nullopt;
}

/// The object without a symbol at an address.
static const Symbol *findUnnamed(const Image &Program, LinkAddress Address) {
  std::optional<OccupantIndex> Occupant = Program.occupantAt(Address);
  if (!Occupant || Program.occupants()[*Occupant].Kind != OccupantKind::Object)
    return nullptr;
  const Symbol &Owner = Program.symbol(*Occupant);
  return Owner.Origin == SymbolOrigin::Anonymous ? &Owner : nullptr;
}

void AccessJoin::splitRecords() {
  if (none_of(Program.symbols(), [](const Symbol &S) {
        return S.Origin == SymbolOrigin::Anonymous;
      }))
    return;
  SmallVector<Pending, 0> Split;
  for (Pending Fact : Facts) {
    auto All = MutableArrayRef(Table.Accesses).slice(Fact.First, Fact.Count);
    auto IsAhead = [](const ObjectAccess &A) {
      return A.offset().value_or(0) != 0;
    };
    const Symbol *Owner =
        any_of(All, IsAhead) ? findUnnamed(Program, Fact.Object) : nullptr;
    for (uint32_t J = Fact.First, End = J + Fact.Count; Owner && J != End;
         ++J) {
      ObjectAccess &A = Table.Accesses[J];
      LinkAddress Address = Fact.Object + A.offset().value_or(0);
      if (Owner->range().contains(Address) || !findUnnamed(Program, Address))
        continue;
      Pending Before = Fact, Alone = Fact;
      Before.Count = J - Fact.First;
      if (Before.Count)
        Split.push_back(Before);
      Alone.Object = Address;
      Alone.First = J;
      Alone.Count = 1;
      A.setOffset(0);
      Split.push_back(Alone);
      Fact.First = J + 1;
      Fact.Count = End - Fact.First;
    }
    if (Fact.Count || !Owner)
      Split.push_back(Fact);
  }
  Facts = std::move(Split);
}

/// The fact's object may be an alias \p Shift bytes inside its owner.
static void shift(ObjectAccess &A, uint64_t Shift) {
  if (std::optional<uint64_t> Offset = A.offset())
    A.setOffset(*Offset + Shift);
  else
    A.setSomewhere(A.first() + Shift);
}

/// What is beyond its owner may be anywhere in it.
static void cutOff(ObjectAccess &A, const Symbol &Owner) {
  std::optional<uint64_t> Offset = A.offset();
  if (Offset && *Offset < Owner.Size)
    A.Size = std::min<uint64_t>(A.Size, Owner.Size - *Offset);
  else if (Offset)
    A.setSomewhere(0);
}

std::vector<uint32_t> AccessJoin::placeFacts(SmallVector<Pending, 0> Found) {
  constexpr uint32_t NoPlace = UINT32_MAX;
  SmallVector<ObjectAccess, 0> &Accesses = Table.Accesses;
  std::vector<uint32_t> Places(Accesses.size(), NoPlace);
  uint32_t Next = 0;
  OccupantIndex Hint = 0;
  LinkAddress Last;
  std::optional<OccupantIndex> Occupant;
  for (uint32_t I : orderByKey(
           Found.size(), [&](uint32_t I) { return Found[I].Object.Value; })) {
    const Pending &Fact = Found[I];
    uint64_t Unplaced = Table.Counts.Unplaced;
    // Facts of one object come one after the other.
    if (std::exchange(Last, Fact.Object) != Fact.Object || !Occupant)
      Occupant = findObject(Fact.Object, Hint);
    // Nobody misses what the C library's start-up code touches.
    if (!Occupant && isStartUp(Fact))
      Table.Counts.Unplaced = Unplaced;
    if (!Occupant)
      continue;
    const Symbol &Owner = Program.symbol(*Occupant);
    uint32_t Symbol = Program.occupants()[*Occupant].Symbol;
    if (Table.Objects.empty() || Table.Objects.back().Symbol != Symbol) {
      Table.Objects.push_back({Symbol, *Occupant, Fact.DeclFile, Fact.DeclLine,
                               ArrayRef(Accesses.begin() + Next, size_t(0))});
      Table.Places[Symbol] = Table.Objects.size();
    }
    AccessedObject &Object = Table.Objects.back();
    if (!Object.DeclFile) {
      Object.DeclFile = Fact.DeclFile;
      Object.DeclLine = Fact.DeclLine;
    }
    // Where they will be.
    Object.Accesses =
        ArrayRef(Object.Accesses.data(), Object.Accesses.size() + Fact.Count);
    const uint64_t Shift = Fact.Object - Owner.Address;
    for (uint32_t J = Fact.First; J != Fact.First + Fact.Count; ++J) {
      if (Shift)
        shift(Accesses[J], Shift);
      Places[J] = Next++;
    }
  }
  for (uint32_t &Place : Places)
    if (Place == NoPlace)
      Place = Next++;
  return Places;
}

AccessTable AccessJoin::finish() && {
  splitRecords();
  Table.Places.resize(Program.symbols().size());
  SmallVector<ObjectAccess, 0> &Accesses = Table.Accesses;
  putInPlaces(Accesses, placeFacts(std::move(Facts)));
  // Now that they are in order, which is when to look at all of them.
  auto Next = Accesses.begin();
  for (const AccessedObject &Object : Table.Objects)
    for (size_t I = 0; I != Object.Accesses.size(); ++I)
      cutOff(*Next++, Program.symbols()[Object.Symbol]);
  Accesses.truncate(Next - Accesses.begin());
  return std::move(Table);
}

const AccessedObject *AccessTable::find(uint32_t Symbol) const {
  if (Symbol >= Places.size() || !Places[Symbol])
    return nullptr;
  return &Objects[Places[Symbol] - 1];
}

std::optional<double> AccessTable::takesOfLock(uint64_t Lock,
                                               RoleIndex Role) const {
  auto It = LockTakes.find({Lock, Role});
  return It == LockTakes.end() ? std::nullopt : std::optional(It->second);
}

/// Shares of a whole, for what is counted already.
static void splitEvenly(RoleShares &Shares) {
  double Sum = 0;
  for (const RoleShare &S : Shares)
    Sum += S.Weight;
  for (RoleShare &S : Shares)
    S.Weight = Sum > 0 ? S.Weight / Sum : 0;
}

uint32_t AccessTable::internShares(const RoleShares &All) {
  if (All != Shares.back())
    Shares.push_back(All);
  return Shares.size() - 1;
}

void AccessTable::setRoles(RoleAssignment Assigned, const CallGraph &Graph) {
  Roles = std::move(Assigned.Roles);
  IsFromCode = Graph.HasSlots;
  StartsClosures = Assigned.StartsClosures;
  IsLibrary = Assigned.IsLibrary;
  DenseMap<uint64_t, NodeIndex> NodeAt;
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (Node.Address.Value)
      NodeAt[Node.Address.Value] = N;
  std::vector<bool> Locked = findLocked(Graph);
  std::vector<uint64_t> EntryLocks = findEntryLocks(Graph, [&](NodeIndex N) {
    return any_of(Assigned.OfNode[N], [&](const RoleShare &S) {
      return Roles[S.Role].Kind != RoleKind::StartUp;
    });
  });
  for (auto [N, Node] : enumerate(Graph.Nodes)) {
    auto Take = [&, N = N](uint64_t Lock, double Weight) {
      Locks.insert(Lock);
      for (const RoleShare &S : Assigned.OfNode[N])
        LockTakes[{Lock, S.Role}] += Weight * S.Weight;
    };
    for (const facts::LockTake &T : Node.Takes)
      Take(T.Lock, T.Weight);
    // A callee that leaves the lock comes back with it.
    for (const GraphEdge &E : Node.Edges)
      if (E.Callee != NoNode && Graph.Nodes[E.Callee].LeavesLock)
        if (uint64_t Held = EntryLocks[N] ? EntryLocks[N] : E.HeldLock)
          Take(Held, E.Weight);
  }
  for (Function &F : Functions) {
    // Machine code gives no calls: what it alone speaks for stays as it was.
    auto Found = NodeAt.find(F.Address.Value);
    if (Found == NodeAt.end())
      continue;
    F.IsLocked = Locked[Found->second];
    F.EntryLock = EntryLocks[Found->second];
    RoleShares OfNode = Assigned.OfNode[Found->second];
    if (OfNode.empty())
      OfNode = shareOf(StartUpRole);
    if (F.HasProfile)
      splitEvenly(OfNode);
    F.Shares = internShares(OfNode);
  }
  narrowDoors();
}

void AccessTable::settleThreadIndices(const CallGraph &Graph) {
  // By an index there is a stride.
  if (none_of(Details, [](const AccessDetail &D) { return D.Stride != 0; }))
    return;
  DenseSet<uint64_t> Entries, OneForAll;
  for (const GraphNode &Node : Graph.Nodes)
    for (const GraphEdge &E : Node.Edges)
      if (E.Kind == facts::CallKind::Start && E.Callee != NoNode)
        (E.IsOneForAll ? OneForAll : Entries)
            .insert(Graph.Nodes[E.Callee].Address.Value);
  for (ObjectAccess &A : Accesses)
    if (A.isMachineCode() && A.IsByThread) {
      const uint64_t Function = Functions[A.Function].Address.Value;
      A.IsByThread = Entries.contains(Function);
      A.IsOfSameElement = !A.IsByThread && OneForAll.contains(Function);
    }
}

void AccessTable::reweigh(function_ref<double(LinkAddress)> SamplesOf) {
  constexpr double Unseen = 0.5;
  IsReweighed = true;
  // Samples are no counts of how often a lock is taken.
  LockTakes.clear();
  std::vector<double> Sums(Functions.size());
  for (const ObjectAccess &A : Accesses)
    Sums[A.Function] += A.Weight;
  for (ObjectAccess &A : Accesses)
    if (Sums[A.Function] > 0)
      A.Weight *= std::max(SamplesOf(Functions[A.Function].Address), Unseen) /
                  Sums[A.Function];
  for (RoleShares &All : Shares)
    splitEvenly(All);
}

} // namespace linesman::layout
