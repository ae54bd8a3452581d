// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses that fall on a line, to parties, with what says of each that several
// threads make it.

#include "Parties.h"
#include "Score.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace linesman::layout {

std::optional<AddressRange> bytesOf(const ObjectAccess &Access,
                                    const Symbol &Object) {
  std::optional<uint64_t> Offset = Access.offset();
  if (!Offset)
    return std::nullopt;
  LinkAddress Begin = Object.Address + *Offset;
  // An access of unknown length touches at least one byte.
  return AddressRange{Begin, Begin + std::max<uint64_t>(Access.Size, 1)};
}

AddressRange reachOf(const ObjectAccess &Access, const Symbol &Object) {
  if (std::optional<AddressRange> Bytes = bytesOf(Access, Object))
    return *Bytes;
  // Compilers name an object, and count from any of its elements.
  bool IsKnown =
      Access.isMachineCode() && !Access.Passage && Access.first() < Object.Size;
  return {Object.Address + (IsKnown ? Access.first() : 0), Object.range().End};
}

bool canTouch(const ObjectAccess &Access, const Symbol &Object,
              AddressRange Range) {
  return reachOf(Access, Object).overlaps(Range);
}

double shareOn(const ObjectAccess &Access, const Symbol &Object,
               AddressRange Range) {
  if (!canTouch(Access, Object, Range))
    return 0;
  if (Access.offset())
    return 1;
  AddressRange Reach = reachOf(Access, Object);
  return double(intersect(Reach, Range).size()) / double(Reach.size());
}

bool writesOneConstant(const AccessTable &Table, const AccessedObject &Object,
                       const ObjectAccess &Access) {
  if (!Access.StoresConstant || !Access.offset() || !Access.Size)
    return false;
  const uint64_t Begin = *Access.offset();
  const uint64_t Stored = Table.detailOf(Access).Stored;
  return all_of(Object.Accesses, [&](const ObjectAccess &A) {
    if (!A.writes() || &A == &Access || !Table.isConcurrent(A))
      return true;
    if (!A.offset())
      return false;
    bool IsApart = *A.offset() + std::max<uint64_t>(A.Size, 1) <= Begin ||
                   Begin + Access.Size <= *A.offset();
    return IsApart || (A.StoresConstant && Stored == Table.detailOf(A).Stored &&
                       *A.offset() == Begin && A.Size == Access.Size);
  });
}

namespace {

/// Of several locks the one with the most is kept.
void addLocked(Party &Sum, const Party &More) {
  if (Sum.Lock == More.Lock)
    Sum.Locked += More.Locked;
  else if (Sum.Locked < More.Locked)
    std::tie(Sum.Lock, Sum.Locked) = std::tie(More.Lock, More.Locked);
}

/// Of the same key.
void addTo(Party &Sum, const Party &More) {
  Sum.Weight += More.Weight;
  Sum.OnLine = std::max(Sum.OnLine, More.OnLine);
  Sum.Sure += More.Sure;
  Sum.Certain += More.Certain;
  Sum.Threads += More.Threads;
  Sum.StandIn += More.StandIn;
  Sum.Synchronised += More.Synchronised;
  Sum.Behind += More.Behind;
  Sum.Atomic += More.Atomic;
  addLocked(Sum, More);
}

/// What main is known to run, too, and without a lock, is rather its own:
/// output of errors, options, tables that are loaded.
bool isForThreads(const AccessTable &Table, const Function &Code) {
  return all_of(Table.sharesOf(Code), [&](const RoleShare &S) {
    RoleKind Kind = Table.roles()[S.Role].Kind;
    return S.IsGuess || Kind == RoleKind::Thread || Kind == RoleKind::StartUp;
  });
}

/// Where the accesses of an object read, by function.
class ReadPlaces {
public:
  explicit ReadPlaces(const AccessedObject &Object) {
    for (const ObjectAccess &A : Object.Accesses)
      if (A.Kind == facts::AccessKind::Read)
        Places.insert({A.Function, A.offset().value_or(Somewhere)});
  }
  bool contains(const ObjectAccess &A) const {
    return Places.contains({A.Function, A.offset().value_or(Somewhere)}) ||
           Places.contains({A.Function, Somewhere});
  }

private:
  static constexpr uint64_t Somewhere = UINT64_MAX - 2;
  DenseSet<std::pair<uint32_t, uint64_t>> Places;
};

/// Of a library, on whose callers nobody tells: whether so few of its functions
/// lead to writes of the object that they are not expected to be done often.
bool isWrittenByFew(const AccessTable &Table, const LineOccupant &Place,
                    const Symbol &Object) {
  double Ways = 0, Enough = 0;
  SmallDenseSet<uint32_t, 8> Writers;
  for (const ObjectAccess &A : Place.Object->Accesses)
    if (A.writes() && A.isMachineCode() && canTouch(A, Object, Place.Range) &&
        Writers.insert(A.Function).second)
      for (const RoleShare &S : Table.sharesOf(Table.functions()[A.Function])) {
        Ways += S.Ways;
        Enough = std::max(Enough, Table.roles()[S.Role].EnoughWays);
      }
  // An estimate.
  return Ways < Enough - 0.5;
}

} // namespace

bool isStandIn(const AccessTable &Table, const AccessedObject &Object) {
  constexpr size_t Many = 32;
  if (Object.Accesses.size() < Many)
    return false;
  SmallDenseSet<uint32_t, 32> Readers, Writers;
  for (const ObjectAccess &A : Object.Accesses) {
    std::optional<Passage> Way = Table.passageOf(A);
    if (A.isMachineCode() && Way && Way->IsMay && Way->Callee == NoNode &&
        Way->Record.empty() && !Way->IsMember && !Way->Variable.Value &&
        Table.isConcurrent(A))
      (A.writes() ? Writers : Readers).insert(A.Function);
  }
  return Readers.size() >= Many && Writers.size() * 2 <= Readers.size();
}

static bool isOfOwnLine(const ObjectAccess &A, uint64_t Stride,
                        const Symbol &Object, LineSize Line) {
  return !A.IsOfSameElement && Stride && Stride % Line.Bytes == 0 &&
         Object.Address.Value % Line.Bytes == 0 &&
         A.first() % Stride + A.Size <= Stride;
}

/// Where elements begin, from the object's begin. Of several that share a line,
/// and whose index may be less than zero, any is as good as another: a
/// function that is given the address of any field of a large object would make
/// each of them a party of its own, on every line.
static uint64_t firstElement(const ObjectAccess &A, uint64_t Stride,
                             const Symbol &Object, LineSize Line) {
  bool IsAny = Stride > 1 && Stride < Line.Bytes && !A.IsByThread &&
               reachOf(A, Object).Begin == Object.Address;
  return IsAny ? A.first() % Stride : A.first();
}

Parties findParties(const Image &Program, const AccessTable &Table,
                    ArrayRef<LineOccupant> Occupants, LineSize Line,
                    Accesses Counted) {
  Parties Found;
  // Large objects have thousands of accesses that may be on any of their lines:
  // they are added up as they come. Objects come in order, and their parties
  // are ordered by key.
  SmallVector<uint32_t, 32> Order;
  size_t FirstOfObject = 0;
  auto AddParty = [&](const Party &P) {
    const Party::Key Key = P.key();
    auto *Place =
        std::partition_point(Order.begin() + FirstOfObject, Order.end(),
                             [&](uint32_t I) { return Found[I].key() < Key; });
    if (Place != Order.end() && Found[*Place].key() == Key) {
      addTo(Found[*Place], P);
      return;
    }
    Order.insert(Place, Found.size());
    Found.push_back(P);
  };
  const bool KnowsThreads = any_of(
      Table.roles(), [](const Role &R) { return R.Kind == RoleKind::Thread; });
  const bool HasMain = any_of(
      Table.roles(), [](const Role &R) { return R.Kind == RoleKind::Main; });
  auto IsByTable = [&](const RoleShare &S) {
    return Table.startsClosures() && S.IsGuess;
  };
  // What a program does is behind tables, too: main may well meet a thread that
  // is known.
  auto IsThreadsByTable = [&](const RoleShare &S) {
    return IsByTable(S) && Table.roles()[S.Role].Kind != RoleKind::Main;
  };
  // Rust has no other stores without a lock than atomic ones, and one constant
  // for all is a flag: that is set for good.
  auto IsSetForGood = [&](const Party &P) {
    return Table.startsClosures() && P.IsRedundant;
  };
  for (const LineOccupant &Place : Occupants) {
    if (!Place.Object)
      continue;
    const Symbol &Object = Program.symbols()[Place.Object->Symbol];
    std::optional<ReadPlaces> Read;
    std::optional<bool> Few;
    auto IsWrittenByFew = [&] {
      if (!Few)
        Few = isWrittenByFew(Table, Place, Object);
      return *Few;
    };
    const bool StandsIn = isStandIn(Table, *Place.Object);
    FirstOfObject = Order.size();
    for (const ObjectAccess &A : Place.Object->Accesses) {
      double OnLine = shareOn(A, Object, Place.Range);
      if (OnLine <= 0 ||
          (Counted == Accesses::LikelyOnes && Table.isPerhaps(A)))
        continue;
      Party P{Place.Object->Symbol,
              A.writes() ? PartyKind::Writes : PartyKind::Reads,
              ConcurrentRole,
              Place.Range,
              /*Somewhere=*/0,
              /*Stride=*/0,
              /*First=*/{},
              /*IsByThread=*/false,
              /*IsOfOwnLine=*/false,
              Table.threadOf(A),
              Table.detailOf(A).Guard,
              A.writes() && writesOneConstant(Table, *Place.Object, A),
              /*Weight=*/0};
      if (std::optional<AddressRange> Bytes = bytesOf(A, Object))
        P.Bytes = intersect(*Bytes, Place.Range);
      else {
        P.Somewhere = std::min<uint64_t>(A.Size ? A.Size : Place.Range.size(),
                                         Place.Range.size());
        P.Stride = Table.detailOf(A).Stride;
        P.First = Object.Address + firstElement(A, P.Stride, Object, Line);
        P.IsByThread = A.IsByThread;
        P.IsOfOwnLine = isOfOwnLine(A, P.Stride, Object, Line);
      }
      // Taking and leaving it is no use of what it protects.
      uint64_t Lock = Table.lockOf(A);
      if (P.Bytes.contains({Lock}))
        Lock = 0;
      // Who sets what it does not look at, or to a constant, or only where a
      // flag is not set yet, sets up or configures, as a rule.
      const Function &Code = Table.functions()[A.Function];
      auto IsUpdate = [&] {
        if (A.StoresConstant || A.IsBehindFlag)
          return false;
        if (!Read)
          Read.emplace(*Place.Object);
        return Read->contains(A);
      };
      const bool IsLocked =
          (A.IsLocked || Code.IsLocked) && (!A.writes() || IsUpdate());
      Table.visitShares(A, [&](const RoleShare &S, double Weight) {
        P.RunBy = S.Role;
        P.Weight = Weight * OnLine;
        P.OnLine = OnLine;
        P.IsByFew = A.writes() && A.isMachineCode() &&
                    Table.roles()[S.Role].Kind == RoleKind::Unknown &&
                    IsWrittenByFew();
        P.Sure = Table.isDoubtful(A) || IsThreadsByTable(S) ? 0 : P.Weight;
        P.Certain = Table.isByKnownThread(A, S) ? P.Sure : 0;
        P.Threads =
            isForThreads(Table, Code) && !IsSetForGood(P) ? P.Certain : 0;
        P.StandIn = StandsIn ? P.Weight : 0;
        P.Atomic =
            A.Kind == facts::AccessKind::Atomic && !IsByTable(S) ? P.Sure : 0;
        P.Synchronised = IsLocked ? P.Sure : P.Atomic;
        // Where a library starts the threads, too, what main runs is rather
        // its own, and locked to be safe.
        const bool IsThreads =
            KnowsThreads ? P.Certain > 0 && (Lock || isForThreads(Table, Code))
                         : !HasMain || isForThreads(Table, Code);
        P.Behind = IsLocked && IsThreads ? P.Sure : 0;
        P.Lock = Lock;
        P.Locked = Lock ? P.Weight : 0;
        if (P.Weight > 0)
          AddParty(P);
      });
    }
  }

  if (!llvm::is_sorted(Order))
    Found = Parties(map_range(Order, [&](uint32_t I) { return Found[I]; }));
  return Found;
}

} // namespace linesman::layout
