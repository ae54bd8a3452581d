// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The score of one line.
//
//  1. Accesses of one role, to the same bytes, of one kind (a write or a read)
//     are one party; its weight is their sum.
//  2. Two parties of which one writes, with weights W and X, force at most
//     min(W, X) transfers of the line, when their roles can run together. A
//     writing party also meets itself, if its role has several instances:
//     another thread runs the same code. What one thread does through what it
//     was started with meets nothing of its own.
//     Who holds the lock of one object meets nobody who holds it too: between
//     different bytes nothing is forced that the lock's own line does not
//     force.
//     All that is between those who hold one lock with a name is, together, at
//     most a transfer each time that it is taken: until it is left, the line is
//     the holder's. Who does not hold it is not in that.
//  3. Each pair counts as sharing of the same bytes, of one object, or of
//     different objects.

#include "Score.h"
#include "Parties.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace llvm;

namespace linesman::layout {
namespace {

/// Whether both are of the same elements, at least as long as what is accessed.
bool haveSameElements(const Party &A, const Party &B) {
  return A.Somewhere && B.Somewhere && A.Stride > 1 && A.Stride == B.Stride &&
         A.First == B.First && A.Somewhere <= A.Stride &&
         B.Somewhere <= B.Stride;
}

/// Elements that have bytes on the line which may be accessed.
struct ElementCount {
  uint64_t All = 0;
  /// Of those, how many meet known bytes.
  uint64_t Met = 0;
};

/// \p A is somewhere, with a known stride; an access has \p Size bytes.
ElementCount countElements(const Party &A, uint64_t Size, AddressRange Meets) {
  uint64_t Begin = A.Bytes.Begin.Value, First = A.First.Value;
  // The first element that ends behind the line's begin.
  uint64_t Number =
      Begin < First + Size ? 0 : (Begin - First - Size) / A.Stride + 1;
  ElementCount Count;
  for (uint64_t Offset = First + Number * A.Stride; Offset < A.Bytes.End.Value;
       Offset += A.Stride) {
    ++Count.All;
    Count.Met += Meets.overlaps({{Offset}, {Offset + Size}});
  }
  Count.All = std::max<uint64_t>(Count.All, 1);
  return Count;
}

/// Of two parties with the same elements.
uint64_t countSameElements(const Party &A, const Party &B) {
  return countElements(A, std::max(A.Somewhere, B.Somewhere), {}).All;
}

/// Of the same part of elements that have lines of their own.
bool haveSamePartOfElements(const Party &A, const Party &B) {
  return A.IsOfOwnLine && B.IsOfOwnLine && A.Stride == B.Stride &&
         (A.First.Value - B.First.Value) % A.Stride == 0;
}

/// The index is not known, but each element has lines of its own, which is done
/// for threads that have an element each.
bool areRatherApart(const Party &A, const Party &B) {
  return haveSamePartOfElements(A, B) ||
         (A.IsOfOwnLine && B.IsOfOwnLine && A.Stride == B.Stride &&
          A.RunBy == B.RunBy);
}

/// The chance that accesses of two parties of one object meet on a byte.
double chanceOfSameBytes(const Party &A, const Party &B) {
  if (!A.Somewhere && !B.Somewhere)
    return A.Bytes.overlaps(B.Bytes) ? 1 : 0;
  // Whoever meets there is at the same element.
  if (haveSamePartOfElements(A, B))
    return 1;
  if (haveSameElements(A, B)) {
    if (A.IsByThread && B.IsByThread)
      return 0;
    // Of several on the line, who knows: the index may be the thread's after
    // all, so that they meet no more than bytes anywhere would.
    if (countSameElements(A, B) == 1)
      return 1;
  }
  // What is at a known place meets one of the elements, or none.
  for (auto [Any, Known] : {std::pair(&A, &B), std::pair(&B, &A)})
    if (Any->Somewhere && Any->Stride > 1 && Any->Somewhere <= Any->Stride &&
        !Known->Somewhere) {
      ElementCount Count = countElements(*Any, Any->Somewhere, Known->Bytes);
      return double(Count.Met) / double(Count.All);
    }
  uint64_t SizeA = A.Somewhere ? A.Somewhere : A.Bytes.size();
  uint64_t SizeB = B.Somewhere ? B.Somewhere : B.Bytes.size();
  uint64_t Span = std::max(A.Bytes.size(), B.Bytes.size());
  return std::min(1.0, double(std::max(SizeA, SizeB)) / double(Span));
}

/// A store that changes nothing can go for nothing: it ranks above an update of
/// the same weight, which reads and writes.
constexpr double FreeCure = 4;

/// Programs without data races have a lock or an atomic operation near what
/// several threads write. Where that is missing, and that threads run the code
/// is a guess, it is rather one thread's, or set once: such a pair ranks behind
/// others, and of weights that loops do not make large it is no finding.
constexpr double UnlikelyShare = 1.0 / 1024;

double countTransfers(const Party &A, const Party &B) {
  double All = std::min(A.Weight, B.Weight);
  double Likely = std::max(
      {std::min(A.Certain, B.Certain), std::min(A.Synchronised, B.Synchronised),
       std::min(A.Atomic, B.Sure), std::min(A.Sure, B.Atomic)});
  return Likely + (All - Likely) * UnlikelyShare;
}

/// What says that two threads meet there must itself be done with more than one
/// operation in two of a thread: what is rarer is rather set-up, a
/// registration, what a thread does when it starts. In a large library there
/// are functions for all that, too: one of them that takes a lock and leaves it
/// says nothing.
constexpr double LeastSigned = 0.5, OneUseOfLock = 2, LargeLibrary = 8;
/// What is done by threads alone comes behind all others, and may be rarer.
constexpr double LeastOfThreads = 0.25;

/// Writes that are no race.
bool isOrderly(const Party &P) {
  return P.Kind == PartyKind::Writes && !P.IsRace;
}

/// What says that the two meet: one side is an atomic operation, which nobody
/// writes for one thread, both have a lock, both are of an object that stands
/// in for others, or both are run by known threads. Not by main, where what
/// runs at start, what loads a configuration and what ends the program is, too.
Sign signOf(ArrayRef<Role> Roles, const Party &A, const Party &B) {
  if (A.IsByFew || B.IsByFew)
    return Sign::None;
  double Ways = std::max(Roles[A.RunBy].EnoughWays, Roles[B.RunBy].EnoughWays);
  auto IsOften = [&](double Transfers) {
    return Ways >= LargeLibrary ? Transfers > OneUseOfLock
                                : Transfers >= LeastSigned;
  };
  // Of an array, the element that is meant may be on the line.
  double OnLine = std::min(A.OnLine, B.OnLine);
  double Atomic =
      std::max(std::min(A.Atomic, B.Sure), std::min(A.Sure, B.Atomic));
  if (IsOften(Atomic / OnLine))
    return Sign::Atomic;
  // A library locks to be safe, whoever calls it, also what it does once; and
  // so does what only pointers lead to: a setting, a handler of a command.
  if (Ways == 0 && IsOften(std::min(A.Behind, B.Behind) / OnLine))
    return Sign::Lock;
  if (A.Symbol == B.Symbol && IsOften(std::min(A.StandIn, B.StandIn)))
    return Sign::StandIn;
  if (Roles[A.RunBy].Kind == RoleKind::Thread &&
      Roles[B.RunBy].Kind == RoleKind::Thread &&
      std::min(A.Threads, B.Threads) >= LeastOfThreads &&
      (isOrderly(A) || isOrderly(B)))
    return Sign::Threads;
  return Sign::None;
}

/// Guesses of loops multiply, and threads are many: what is beyond the first
/// bound only ranks, and comes ever nearer to the second.
constexpr double LinearScore = 1e5, MostScore = 1e6;

double scaleOf(double Total) {
  if (Total <= LinearScore)
    return 1;
  double Above = Total - LinearScore, Room = MostScore - LinearScore;
  return (LinearScore + Room * Above / (Above + Room)) / Total;
}

bool canMeet(ArrayRef<Role> Roles, const Party &A, const Party &B) {
  if (A.Thread && A.Thread == B.Thread)
    return false;
  return (A.Kind == PartyKind::Writes || B.Kind == PartyKind::Writes) &&
         mayRunTogether(Roles, A.RunBy, B.RunBy);
}

bool haveSameLock(const Party &A, const Party &B) {
  return A.Lock && A.Lock == B.Lock;
}

/// What is between those who hold one lock: they force, together, no more than
/// a transfer each time that it is taken.
class Handovers {
public:
  explicit Handovers(const AccessTable &Table) : Table(Table) {}

  void count(const Party &A, const Party &B) {
    if (haveSameLock(A, B) && canMeet(Table.roles(), A, B))
      Shares[keyOf(A, B)] += std::min(A.Locked, B.Locked);
  }
  /// Sums to shares, when all pairs are counted.
  void finish() {
    for (auto &[Key, Sum] : Shares) {
      auto [Lock, RoleA, RoleB] = Key;
      auto A = Table.takesOfLock(Lock, RoleA),
           B = Table.takesOfLock(Lock, RoleB);
      double Most = A && B ? std::min(*A, *B) : Sum;
      Sum = Sum > Most ? Most / Sum : 1;
    }
  }
  /// What is left of min(W, X): where one of them does not hold the lock, all.
  double boundShare(const Party &A, const Party &B) const {
    if (!haveSameLock(A, B))
      return 1;
    double Behind = Shares.at(keyOf(A, B)) * std::min(A.Locked, B.Locked);
    double Others = std::min(A.Weight, B.Weight - B.Locked) +
                    std::min(A.Weight - A.Locked, B.Weight);
    return std::min(1.0, (Behind + Others) / std::min(A.Weight, B.Weight));
  }

private:
  const AccessTable &Table;
  using Key = std::tuple<uint64_t, RoleIndex, RoleIndex>;
  std::map<Key, double> Shares;

  static Key keyOf(const Party &A, const Party &B) {
    auto [First, Second] = std::minmax(A.RunBy, B.RunBy);
    return {A.Lock, First, Second};
  }
};

/// Transfers of pairs with a sign, by their two roles.
class SignedPairs {
public:
  void add(const Party &A, const Party &B, double Transfers) {
    auto [First, Second] = std::minmax(A.RunBy, B.RunBy);
    double &Sum = Sums[{First, Second}];
    Sum += Transfers;
    Most = std::max(Most, Sum);
  }
  double most() const { return Most; }

private:
  SmallDenseMap<std::pair<RoleIndex, RoleIndex>, double, 8> Sums;
  double Most = 0;
};

/// Adds to \p Signs, unless that is null.
void addPair(LineScore &Result, ArrayRef<Role> Roles, const Handovers &Locks,
             Party &A, Party &B, SignedPairs *Signs = nullptr) {
  if (!canMeet(Roles, A, B))
    return;
  bool AWrites = A.Kind == PartyKind::Writes;
  bool BWrites = B.Kind == PartyKind::Writes;
  double Bound = Locks.boundShare(A, B);
  double Transfers = countTransfers(A, B) * Bound;
  if (Roles[A.RunBy].Kind == RoleKind::Thread &&
      Roles[B.RunBy].Kind == RoleKind::Thread)
    Result.Doubted += std::min(A.Weight, B.Weight) * Bound - Transfers;
  Sign Meeting = Sign::None;
  if (Result.Meeting < Sign::Atomic || Signs) // there is no better one
    Meeting = signOf(Roles, A, B);
  // Of an array, the element that is meant may be on the line.
  if (Signs && Meeting != Sign::None)
    Signs->add(A, B, Transfers / std::min(A.OnLine, B.OnLine));
  if ((AWrites && A.IsRedundant) || (BWrites && B.IsRedundant))
    Transfers *= FreeCure;
  bool IsGuarded = A.Guard && A.Guard == B.Guard;
  if (A.Symbol != B.Symbol) {
    if (IsGuarded)
      return;
    Result.HasMeeting |= Transfers > 0;
    Result.Points.Between += Transfers;
    Result.Meeting = std::max(Result.Meeting, Meeting);
  } else {
    // Each thread has an element of its own, and that a line.
    if (A.IsByThread && B.IsByThread && haveSameElements(A, B) &&
        countSameElements(A, B) == 1)
      return;
    // What threads do there, they rather do apart: no sign that they meet.
    const bool IsRatherApart = areRatherApart(A, B);
    if (IsRatherApart)
      Meeting = Sign::None;
    Result.HasMeeting |= !IsRatherApart && Transfers > 0;
    double Same = chanceOfSameBytes(A, B);
    Result.Points.True += Transfers * Same;
    if (!IsGuarded)
      Result.Points.Within += Transfers * (1 - Same);
    Result.Meeting = std::max(Result.Meeting, Meeting);
  }
  if (AWrites)
    A.Forced += Transfers;
  // Once for an object whose writes meet its own.
  if (BWrites && (B.Symbol != A.Symbol || !AWrites))
    B.Forced += Transfers;
}

/// Each pair of parties of which one writes, also of one that writes with
/// itself. Most only read.
template <typename Visitor> void eachPair(Parties &All, Visitor Visit) {
  SmallVector<size_t, 32> Writers;
  for (auto [I, P] : enumerate(All))
    if (P.Kind == PartyKind::Writes)
      Writers.push_back(I);
  size_t Before = 0;
  for (auto [I, P] : enumerate(All))
    if (P.Kind == PartyKind::Writes) {
      ++Before;
      for (Party &Other : MutableArrayRef(All).drop_front(I))
        Visit(P, Other);
    } else {
      for (size_t J : ArrayRef(Writers).drop_front(Before))
        Visit(P, All[J]);
    }
}

/// A library's authors do not know who calls it, and guard what two threads
/// use. What its threads use alike with no lock and no atomic operation is
/// rather one thread's, although the code of several leads there: a scanner's
/// state, a list that is made at the start. Not a constant that is stored again
/// and again, which does no harm but to the line.
void findRaces(const AccessTable &Table, Parties &All) {
  constexpr double LeastChance = 0.5;
  auto IsThreads = [&](const Party &P) {
    return Table.roles()[P.RunBy].Kind == RoleKind::Thread;
  };
  auto Mark = [](Party &P) {
    P.IsRace |= P.Kind == PartyKind::Writes && !P.IsRedundant &&
                2 * P.Synchronised < P.Weight;
  };
  eachPair(All, [&](Party &A, Party &B) {
    if (A.Symbol != B.Symbol || !IsThreads(A) || !IsThreads(B) ||
        !canMeet(Table.roles(), A, B) || chanceOfSameBytes(A, B) < LeastChance)
      return;
    Mark(A);
    Mark(B);
  });
}

Handovers countHandovers(const AccessTable &Table, Parties &All) {
  Handovers Locks(Table);
  if (any_of(All, [](const Party &P) { return P.Lock != 0; }))
    eachPair(All, [&](Party &A, Party &B) { Locks.count(A, B); });
  Locks.finish();
  return Locks;
}

LineScore scoreParties(const AccessTable &Table, Parties &All,
                       Sign Known = Sign::None) {
  LineScore Result;
  Result.Meeting = Known;
  if (Table.isLibrary())
    findRaces(Table, All);
  Handovers Locks = countHandovers(Table, All);
  std::map<uint64_t, double> Behind;
  SignedPairs Signs;
  eachPair(All, [&](Party &A, Party &B) {
    double Before = Result.Points.total();
    // What is known needs no signs.
    addPair(Result, Table.roles(), Locks, A, B,
            Known == Sign::Facts ? nullptr : &Signs);
    // Mostly.
    if (haveSameLock(A, B) && 2 * A.Locked > A.Weight &&
        2 * B.Locked > B.Weight)
      Behind[A.Lock] += Result.Points.total() - Before;
  });
  Result.SignTransfers = Signs.most();
  for (auto [Lock, Points] : Behind)
    if (2 * Points > Result.Points.total())
      Result.BehindLock = Lock;
  double Scale = scaleOf(Result.Points.total());
  Result.Points.True *= Scale;
  Result.Points.Between *= Scale;
  Result.Points.Within *= Scale;
  // Parties are in the order of their symbols.
  for (const Party &P : All) {
    if (P.Forced <= 0)
      continue;
    if (Result.Forced.empty() || Result.Forced.back().first != P.Symbol)
      Result.Forced.push_back({P.Symbol, 0});
    Result.Forced.back().second += P.Forced;
  }
  return Result;
}

/// What may be to another object is only listed where something else makes the
/// line a finding, so that it never lifts one above another.
Parties findCounted(const Image &Program, const AccessTable &Table,
                    ArrayRef<LineOccupant> Occupants, LineSize Line) {
  bool HasPerhaps = any_of(Occupants, [&](const LineOccupant &Place) {
    return Place.Object &&
           any_of(Place.Object->Accesses,
                  [&](const ObjectAccess &A) { return Table.isPerhaps(A); });
  });
  if (HasPerhaps) {
    Parties Likely =
        findParties(Program, Table, Occupants, Line, Accesses::LikelyOnes);
    Parties Scored = Likely;
    if (scoreParties(Table, Scored).Points.total() > 0)
      return Likely;
  }
  return findParties(Program, Table, Occupants, Line, Accesses::All);
}

} // namespace

LineScore scoreLine(const Image &Program, const AccessTable &Table,
                    ArrayRef<LineOccupant> Occupants, LineSize Line,
                    Sign Known) {
  Parties All = findCounted(Program, Table, Occupants, Line);
  return scoreParties(Table, All, Known);
}

/// Two counters that one role reads and writes alike force a third of their
/// transfers by writing both. Where it is much less, one of them is mostly
/// read, and reading must not wait for who writes the other.
static constexpr double TogetherShare = 0.25;

std::vector<ObjectPair> findPairs(const Image &Program,
                                  const AccessTable &Table,
                                  ArrayRef<LineOccupant> Occupants,
                                  LineSize Line) {
  Parties All = findCounted(Program, Table, Occupants, Line);
  Handovers Locks = countHandovers(Table, All);
  std::map<std::pair<uint32_t, uint32_t>, ObjectPair> ByObjects;
  std::map<std::pair<uint32_t, uint32_t>, double> Together;
  for (size_t I = 0; I != All.size(); ++I)
    for (size_t J = I + 1; J != All.size(); ++J) {
      LineScore One;
      addPair(One, Table.roles(), Locks, All[I], All[J]);
      if (One.Points.Between <= 0)
        continue;
      auto [A, B] = std::minmax(All[I].Symbol, All[J].Symbol);
      ObjectPair &Pair = ByObjects[{A, B}];
      Pair.A = A;
      Pair.B = B;
      Pair.Transfers += One.Points.Between;
      if (All[I].Kind == PartyKind::Writes &&
          All[J].Kind == PartyKind::Writes && All[I].RunBy == All[J].RunBy)
        Together[{A, B}] += One.Points.Between;
    }
  std::vector<ObjectPair> Result;
  for (auto &[Objects, Pair] : ByObjects) {
    if (Together[Objects] >= TogetherShare * Pair.Transfers)
      Pair.WrittenBy = ObjectPair::Writers::Together;
    Result.push_back(Pair);
  }
  return Result;
}

} // namespace linesman::layout
