// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and ranks the lines that several threads can fight over.
//
//  1. Choose the lines to look at: those that hold an end of a touched object
//     or of an access. Between two such lines every line of an object looks
//     alike, so one stands for all.
//  2. Score each (Score.cpp), and drop those without a transfer.
//  3. Lines of one array that differ in nothing become one finding, and so do
//     lines of one record without a symbol: close by, with the same users.
//  4. Describe those that are asked for: names, occupants, remedy (Remedy.cpp).

#include "EnoughSigns.h"
#include "Instances.h"
#include "OwnCode.h"
#include "Remedy.h"
#include "Score.h"
#include "ThreadsMeet.h"
#include "linesman/Layout/Names.h"
#include "linesman/Layout/RadixOrder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <map>
#include <set>

using namespace llvm;

namespace linesman::layout {

void AccessWeights::add(facts::AccessKind Kind, double Weight, double Perhaps) {
  switch (Kind) {
  case facts::AccessKind::Read:
    Reads += Weight;
    PerhapsReads += Perhaps;
    break;
  case facts::AccessKind::Write:
    Writes += Weight;
    PerhapsWrites += Perhaps;
    break;
  case facts::AccessKind::Atomic:
    Atomics += Weight;
    PerhapsAtomics += Perhaps;
    break;
  }
}

AccessWeights &AccessWeights::operator+=(const AccessWeights &Others) {
  Reads += Others.Reads;
  Writes += Others.Writes;
  Atomics += Others.Atomics;
  PerhapsReads += Others.PerhapsReads;
  PerhapsWrites += Others.PerhapsWrites;
  PerhapsAtomics += Others.PerhapsAtomics;
  return *this;
}

std::vector<LineOccupant> lineOccupants(const Image &Program,
                                        const LineMap &Lines,
                                        const AccessTable &Table,
                                        LineIndex Line) {
  std::vector<LineOccupant> Result;
  for (OccupantIndex Index : Lines.occupants(Line)) {
    LineOccupant Place;
    Place.Occupant = Index;
    Place.Range = intersect(Program.range(Index), Lines.range(Line));
    if (Program.occupants()[Index].Kind == OccupantKind::Object)
      Place.Object = Table.find(Program.occupants()[Index].Symbol);
    if (Place.Object) {
      const Symbol &Object = Program.symbol(Index);
      for (const ObjectAccess &A : Place.Object->Accesses) {
        double Weight =
            Table.concurrentWeight(A) * shareOn(A, Object, Place.Range);
        Place.add(A.Kind, Weight, Table.isMay(A) ? Weight : 0);
      }
    }
    Result.push_back(Place);
  }
  return Result;
}

namespace {

/// Those that something is known to touch; what does is not weighed. Lines come
/// in order: \p Hint is an occupant of the one before.
void findTouched(const Image &Program, const LineMap &Lines,
                 const AccessTable &Table, LineIndex Line, OccupantIndex &Hint,
                 SmallVectorImpl<LineOccupant> &Result) {
  Result.clear();
  for (OccupantIndex Index : Lines.occupants(Line, Hint)) {
    Hint = Index;
    const Occupant &O = Program.occupants()[Index];
    if (O.Kind != OccupantKind::Object)
      continue;
    if (const AccessedObject *Object = Table.find(O.Symbol)) {
      LineOccupant &Place = Result.emplace_back();
      Place.Occupant = Index;
      Place.Range = intersect(Program.range(Index), Lines.range(Line));
      Place.Object = Object;
    }
  }
}

/// Lines that look different from the one before or after them.
std::vector<LineIndex> findEdges(const Image &Program, const LineMap &Lines,
                                 const AccessTable &Table) {
  std::vector<LineIndex> Edges;
  // Most objects are on one line, and objects come in order: nearly all edges
  // are the one before.
  auto Add = [&](LinkAddress Address) {
    LineIndex Line = Lines.indexOf(Address);
    if (Edges.empty() || Edges.back() != Line)
      Edges.push_back(Line);
  };
  auto AddEnds = [&](AddressRange Range) {
    Add(Range.Begin);
    Add({Range.End.Value - 1});
  };
  for (const AccessedObject &Object : Table.objects()) {
    const Symbol &S = Program.symbols()[Object.Symbol];
    // Without the bytes that an earlier object owns.
    AddressRange Own = Program.range(Object.Occupant);
    const size_t First = Edges.size();
    AddEnds(Own);
    // Accesses add nothing to an object on two lines.
    if (Lines.indexOf({Own.End.Value - 1}).Value -
            Lines.indexOf(Own.Begin).Value <
        2)
      continue;
    for (const ObjectAccess &A : Object.Accesses)
      if (std::optional<AddressRange> Bytes = bytesOf(A, S);
          Bytes && Table.isConcurrent(A))
        AddEnds(*Bytes);
    std::sort(Edges.begin() + First, Edges.end());
  }
  // Accesses may begin in an object and reach beyond it.
  if (!llvm::is_sorted(Edges))
    llvm::sort(Edges);
  Edges.erase(llvm::unique(Edges), Edges.end());
  return Edges;
}

} // namespace

std::vector<LineRun> chooseLines(const Image &Program, const LineMap &Lines,
                                 const AccessTable &Table) {
  std::vector<LineIndex> Edges = findEdges(Program, Lines, Table);
  std::vector<LineRun> Runs;
  OccupantIndex Hint = 0;
  auto IsTouched = [&](OccupantIndex Index) {
    Hint = Index;
    const Occupant &O = Program.occupants()[Index];
    return O.Kind == OccupantKind::Object && Table.find(O.Symbol);
  };
  for (auto [I, Edge] : enumerate(Edges)) {
    Runs.push_back({Edge, 1});
    // The lines up to the next edge, if a touched object reaches over them.
    if (I + 1 == Edges.size() || Edges[I + 1].Value == Edge.Value + 1)
      continue;
    LineIndex Inner{Edge.Value + 1};
    if (any_of(Lines.occupants(Inner, Hint), IsTouched))
      Runs.push_back({Inner, Edges[I + 1].Value - Inner.Value});
  }
  return Runs;
}

namespace {

/// Nobody else is on the line, and its accesses may be anywhere in the head:
/// one of many lines that differ in nothing.
bool isOneOfMany(ArrayRef<LineOccupant> Occupants, uint32_t Head,
                 const AccessTable &Table) {
  return all_of(Occupants, [&](const LineOccupant &Place) {
    return !Place.Object ||
           (Place.Object->Symbol == Head &&
            all_of(Place.Object->Accesses, [&](const ObjectAccess &A) {
              return !A.offset() || !Table.isConcurrent(A);
            }));
  });
}

/// Of a line on which all touched objects have no symbol: which functions use
/// it, and how. Lines close by with the same users mostly are one record, or
/// one table; nothing for any other line.
std::optional<size_t> usersOfRecord(const Image &Program,
                                    ArrayRef<LineOccupant> Occupants,
                                    const AccessTable &Table) {
  std::set<std::pair<uint32_t, bool>> Users;
  for (const LineOccupant &Place : Occupants) {
    if (!Place.Object)
      continue;
    const Symbol &Object = Program.symbols()[Place.Object->Symbol];
    if (Object.Origin != SymbolOrigin::Anonymous)
      return std::nullopt;
    for (const ObjectAccess &A : Place.Object->Accesses)
      if (canTouch(A, Object, Place.Range) && Table.isConcurrent(A))
        Users.insert({A.Function, A.writes()});
  }
  return hash_combine_range(Users.begin(), Users.end());
}

/// Whether a compiler tells of an access to the line. The others are of code
/// that was not compiled with the pass: libraries, mostly, and of a static
/// executable the C library, whose loops promise more than its error paths run.
bool hasCompilerFact(ArrayRef<LineOccupant> Occupants,
                     const AccessTable &Table) {
  return any_of(Occupants, [&](const LineOccupant &Place) {
    return Place.Object &&
           any_of(Place.Object->Accesses, [&](const ObjectAccess &A) {
             return !A.isMachineCode() && Table.isConcurrent(A);
           });
  });
}

/// Whether a write to the line is certain to be to it: others are through
/// pointers that may lead elsewhere.
bool hasCertainWrite(ArrayRef<LineOccupant> Occupants,
                     const AccessTable &Table) {
  return any_of(Occupants, [&](const LineOccupant &Place) {
    return Place.Object &&
           any_of(Place.Object->Accesses, [&](const ObjectAccess &A) {
             return A.writes() && !Table.isMay(A) && Table.isConcurrent(A);
           });
  });
}

/// Whether a program writes the line itself; otherwise only callers outside do.
bool isWrittenInside(ArrayRef<LineOccupant> Occupants,
                     const AccessTable &Table) {
  return any_of(Occupants, [&](const LineOccupant &Place) {
    return Place.Object &&
           any_of(Place.Object->Accesses, [&](const ObjectAccess &A) {
             bool IsInside = false;
             if (A.writes())
               Table.visitShares(A, [&](const RoleShare &S, double) {
                 IsInside |= Table.roles()[S.Role].Kind != RoleKind::Outside;
               });
             return IsInside;
           });
  });
}

/// Lines from the best one of a record without a symbol to any other.
constexpr uint64_t MostRecordLines = 16;

/// Of machine code, whose weights are guesses, what is less is no finding.
constexpr double LeastGuess = 0.01;

/// Lines that were looked at, by position.
struct Examined {
  std::vector<RankedLine> Lines;
  /// What is not in a RankedLine: sums of Traits.
  std::vector<uint8_t> Traits;
  /// See usersOfRecord; of few lines.
  DenseMap<uint64_t, size_t> RecordUsers;
};

enum Trait : uint8_t {
  IsOneOfMany = 1,
  HasCompilerFact = 2,
  HasCertainWrite = 4,
  IsPrograms = 8,
  IsWrittenInside = 16,
};

Examined examineLines(const Image &Program, const LineMap &Lines,
                      const AccessTable &Table) {
  Examined Result;
  SmallVector<LineOccupant, 8> Touched;
  OccupantIndex Hint = 0;
  const OwnCode Own(Program, Table);
  const EnoughSigns Enough(Table, Own);
  const std::vector<LineRun> Chosen = chooseLines(Program, Lines, Table);
  // What is not used takes no memory, and growing takes twice as much.
  Result.Lines.reserve(Chosen.size());
  Result.Traits.reserve(Chosen.size());
  for (LineRun Run : Chosen) {
    findTouched(Program, Lines, Table, Run.First, Hint, Touched);
    const bool IsCompilers = hasCompilerFact(Touched, Table);
    LineScore Scored = scoreLine(Program, Table, Touched, {Lines.blockSize()},
                                 IsCompilers ? Sign::Facts : Sign::None);
    const double Total = Scored.Points.total();
    const double Most = Total + Scored.Doubted;
    if (Total <= 0 || Most < LeastPoints)
      continue;
    if (Most < LeastGuess && !IsCompilers)
      continue;
    // The first of equals: symbols are ordered by address.
    uint32_t Head =
        max_element(Scored.Forced, [](const auto &A, const auto &B) {
          return A.second < B.second;
        })->first;
    if (std::optional<size_t> Users = usersOfRecord(Program, Touched, Table))
      Result.RecordUsers[Run.First.Value] = *Users;
    const AddressRange Range = Lines.range(Run.First);
    const Sign Meeting = Enough.judge(
        Scored, {[&] { return countVisits(Program, Table, Touched, Range); },
                 [&] { return countWriters(Program, Table, Touched, Range); },
                 [&] { return isMostlyRead(Program, Table, Touched, Range); },
                 [&] { return Own.isPrograms(Head, Touched); },
                 Program.symbols()[Head].Origin != SymbolOrigin::Anonymous});
    Result.Lines.push_back({Run.First, Run.Count, Head, Meeting, Scored.Points,
                            Scored.BehindLock});
    Result.Traits.push_back(
        (isOneOfMany(Touched, Head, Table) ? IsOneOfMany : 0) |
        (IsCompilers ? HasCompilerFact : 0) |
        (hasCertainWrite(Touched, Table) ? HasCertainWrite : 0) |
        (Own.isPrograms(Head, Touched) ? IsPrograms : 0) |
        (isWrittenInside(Touched, Table) ? IsWrittenInside : 0));
  }
  return Result;
}

/// A later line of a large object is another finding. Of an object without a
/// symbol, which is called by its place in a section, the line's place is.
std::string idOnLine(const Image &Program, uint32_t Head, LinkAddress Line,
                     ObjectNames &Names) {
  const Symbol &Object = Program.symbols()[Head];
  if (Line <= Object.Address)
    return Names.id(Head);
  const Section &Home = Program.sections()[Object.Section];
  bool IsByPlace = Object.Origin == SymbolOrigin::Anonymous;
  uint64_t Distance = Line - (IsByPlace ? Home.Range.Begin : Object.Address);
  std::string Base = IsByPlace ? std::string(Home.Name) : Names.id(Head);
  return Base + "+0x" + utohexstr(Distance, /*LowerCase=*/true);
}

LineFinding describe(const Image &Program, const LineMap &Lines,
                     const AccessTable &Table, const RankedLine &Ranked,
                     ObjectNames &Names) {
  LineFinding Finding;
  Finding.Head = Ranked.Head;
  Finding.Id =
      idOnLine(Program, Ranked.Head, Lines.range(Ranked.Line).Begin, Names);
  Finding.Kind = kindOf(Ranked.Points);
  Finding.Points = Ranked.Points;
  Finding.About = VariableHazard{Ranked.Meeting, Ranked.BehindLock};
  if (isGuess(Ranked.Meeting))
    Finding.Reached = Rung::Suspected;
  Finding.Line = Ranked.Line;
  Finding.Lines = Ranked.Lines;
  Finding.Occupants = lineOccupants(Program, Lines, Table, Ranked.Line);
  Finding.Pairs =
      findPairs(Program, Table, Finding.Occupants, {Lines.blockSize()});
  Finding.Cure = chooseRemedy(Table, Finding, {Lines.blockSize()});
  return Finding;
}

} // namespace

/// Highest scores first, of equals the lowest address; and behind all others
/// those for which there is a reason.
static std::vector<uint32_t>
orderLines(const Image &Program, const LineMap &Lines, const Examined &Lot) {
  // Scores are positive, so their bits are ordered as they are.
  std::vector<uint32_t> Order = orderByKey(Lot.Lines.size(), [&](uint32_t I) {
    return ~bit_cast<uint64_t>(Lot.Lines[I].Points.total());
  });
  auto PutFirst = [&](auto Is) {
    std::stable_partition(Order.begin(), Order.end(), Is);
  };
  auto PutFirstWith = [&](Trait T) {
    PutFirst([&](uint32_t I) { return (Lot.Traits[I] & T) != 0; });
  };
  // The weightiest reason last.
  const std::vector<bool> IsLater =
      findLaterInstances(Program, Lines, Lot.Lines, Order);
  PutFirst([&](uint32_t I) { return !IsLater[I]; });
  PutFirstWith(HasCertainWrite);
  PutFirstWith(HasCompilerFact);
  // Without a lock or an atomic operation, what threads do is mostly one's own.
  PutFirst([&](uint32_t I) { return Lot.Lines[I].Meeting != Sign::Threads; });
  PutFirstWith(IsPrograms);
  PutFirstWith(IsWrittenInside);
  PutFirst([&](uint32_t I) { return !isGuess(Lot.Lines[I].Meeting); });
  return Order;
}

std::vector<RankedLine> rankHazards(const Image &Program, const LineMap &Lines,
                                    const AccessTable &Table) {
  Examined Lot = examineLines(Program, Lines, Table);
  std::vector<uint32_t> Order = orderLines(Program, Lines, Lot);
  arrange(Lot.Traits, Order);
  arrange(Lot.Lines, Order);
  // The best line stands for those that differ in nothing, of an array, and for
  // those of one record without a symbol.
  DenseMap<uint32_t, size_t> OfArray;
  std::map<size_t, SmallVector<size_t, 1>> OfRecord;
  std::vector<RankedLine> &Ranked = Lot.Lines;
  size_t Kept = 0;
  auto FindBetter = [&](const RankedLine &R, bool IsAlike) -> RankedLine * {
    if (IsAlike)
      if (auto [It, IsNew] = OfArray.try_emplace(R.Head, Kept); !IsNew)
        return &Ranked[It->second];
    auto Users = Lot.RecordUsers.find(R.Line.Value);
    if (Users == Lot.RecordUsers.end())
      return nullptr;
    for (size_t I : OfRecord[Users->second])
      if (std::max(Ranked[I].Line, R.Line).Value -
              std::min(Ranked[I].Line, R.Line).Value <=
          MostRecordLines)
        return &Ranked[I];
    OfRecord[Users->second].push_back(Kept);
    return nullptr;
  };
  for (auto [R, Has] : zip(Ranked, Lot.Traits)) {
    if (RankedLine *Better = FindBetter(R, Has & IsOneOfMany))
      Better->Lines += R.Lines;
    else
      Ranked[Kept++] = R;
  }
  Ranked.erase(Ranked.begin() + Kept, Ranked.end());
  return std::move(Lot.Lines);
}

GuessedLines dropGuesses(std::vector<RankedLine> &Ranked) {
  GuessedLines Dropped;
  erase_if(Ranked, [&](const RankedLine &R) {
    Dropped.WithoutSign += R.Meeting == Sign::None;
    Dropped.OwnLines += R.Meeting == Sign::OwnLines;
    Dropped.Seldom += R.Meeting == Sign::Seldom;
    Dropped.MostlyRead += R.Meeting == Sign::MostlyRead;
    Dropped.Nameless += R.Meeting == Sign::Nameless;
    Dropped.Library += R.Meeting == Sign::Library;
    return isGuess(R.Meeting);
  });
  return Dropped;
}

std::vector<LineFinding> describeHazards(const Image &Program,
                                         const LineMap &Lines,
                                         const AccessTable &Table,
                                         ArrayRef<RankedLine> Ranked) {
  ObjectNames Names(Program);
  std::vector<LineFinding> Findings;
  for (const RankedLine &R : Ranked)
    Findings.push_back(describe(Program, Lines, Table, R, Names));
  return Findings;
}

std::vector<LineFinding> findHazards(const Image &Program, const LineMap &Lines,
                                     const AccessTable &Table, Guesses Kept) {
  std::vector<RankedLine> Ranked = rankHazards(Program, Lines, Table);
  if (Kept == Guesses::LeftOut)
    dropGuesses(Ranked);
  return describeHazards(Program, Lines, Table, Ranked);
}

} // namespace linesman::layout
