// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Line-mates and their comparison. Objects are matched by stem, file and
// ordinal; mates as a set.

#include "linesman/Layout/LineMates.h"
#include "linesman/Layout/MatchLines.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace llvm;

namespace linesman::layout {

static Use useOf(const AccessedObject &Object, const AccessTable &Table) {
  Use Usage = Use::Unknown;
  for (const ObjectAccess &A : Object.Accesses) {
    if (!Table.isConcurrent(A))
      continue;
    if (A.writes())
      return Use::Written;
    Usage = Use::Read;
  }
  return Usage;
}

LineMates findLineMates(const Image &Program, const LineMap &Lines,
                        const AccessTable &Table) {
  LineMates Result{{Lines.blockSize()}, {}};
  Identities Names(Program);
  // What no symbol names is called by its place, which another link changes.
  auto HasIdentity = [&](uint32_t Symbol) {
    return Program.symbols()[Symbol].Origin != SymbolOrigin::Anonymous;
  };
  for (const AccessedObject &Object : Table.objects()) {
    if (!HasIdentity(Object.Symbol))
      continue;
    MatesOf One{Names.of(Object.Symbol), useOf(Object, Table), {}};
    if (One.Usage == Use::Unknown)
      continue;
    const Symbol &S = Program.symbols()[Object.Symbol];
    std::set<Identity> Mates;
    auto AddLine = [&](LineIndex Line) {
      for (OccupantIndex Index : Lines.occupants(Line)) {
        const Occupant &O = Program.occupants()[Index];
        if (O.Kind == OccupantKind::Hole || O.Kind == OccupantKind::Padding ||
            O.Kind == OccupantKind::NoSymbol)
          continue;
        if (O.Kind == OccupantKind::Linker)
          Mates.insert({Program.label(Index), "", 0});
        else if (O.Symbol != Object.Symbol && HasIdentity(O.Symbol))
          Mates.insert(Names.of(O.Symbol));
      }
    };
    // Between them nobody else has room.
    LineIndex First = Lines.indexOf(S.Address);
    LineIndex Last = Lines.indexOf({S.range().End.Value - 1});
    AddLine(First);
    if (Last != First)
      AddLine(Last);
    One.Mates.assign(Mates.begin(), Mates.end());
    Result.Objects.push_back(std::move(One));
  }
  llvm::sort(Result.Objects, [](const MatesOf &A, const MatesOf &B) {
    return A.Object < B.Object;
  });
  return Result;
}

LineMates translate(LineMates Other, const Identities &Own) {
  for (MatesOf &Object : Other.Objects) {
    Object.Object = Own.translate(Object.Object);
    for (Identity &Mate : Object.Mates)
      Mate = Own.translate(Mate);
  }
  return Other;
}

static std::vector<Identity> without(ArrayRef<Identity> These,
                                     ArrayRef<Identity> Those) {
  std::set<std::string> Known;
  for (const Identity &Is : Those)
    Known.insert(keyOf(Is));
  std::vector<Identity> Result;
  for (const Identity &Is : These)
    if (!Known.count(keyOf(Is)))
      Result.push_back(Is);
  return Result;
}

std::vector<MateChange> compareLineMates(const LineMates &Old,
                                         const LineMates &New) {
  std::map<std::string, const MatesOf *> Before;
  for (const MatesOf &Object : Old.Objects)
    Before[keyOf(Object.Object)] = &Object;
  std::vector<MateChange> Result;
  for (const MatesOf &Now : New.Objects) {
    auto Was = Before.find(keyOf(Now.Object));
    if (Was == Before.end())
      continue;
    MateChange Change{Now.Object, std::max(Now.Usage, Was->second->Usage),
                      without(Now.Mates, Was->second->Mates),
                      without(Was->second->Mates, Now.Mates)};
    if (!Change.Gained.empty() || !Change.Lost.empty())
      Result.push_back(std::move(Change));
  }
  return Result;
}

namespace {

/// A side of a comparison: its scores, one an id, with their company.
struct ScoredParties {
  std::vector<LineParty> Parties;
  std::vector<double> Scores;
};

ScoredParties partiesOf(ArrayRef<LineFinding> Findings, ObjectName Name) {
  ScoredParties Result;
  std::map<std::string, size_t> Places;
  for (const LineFinding &F : Findings) {
    auto [Place, IsNew] = Places.try_emplace(F.Id, Result.Scores.size());
    if (IsNew) {
      Result.Parties.push_back({F.Id, Name(F.Head), {}});
      Result.Scores.push_back(0);
    }
    Result.Scores[Place->second] += F.Points.total();
    for (const LineOccupant &O : F.Occupants)
      if (O.Object && O.Reads + O.Writes + O.Atomics > 0)
        Result.Parties[Place->second].Objects.insert(Name(O.Object->Symbol));
  }
  return Result;
}

} // namespace

std::vector<FindingChange> compareFindings(ArrayRef<LineFinding> Old,
                                           ObjectName OldName,
                                           ArrayRef<LineFinding> New,
                                           ObjectName NewName) {
  const ScoredParties Before = partiesOf(Old, OldName),
                      After = partiesOf(New, NewName);
  std::vector<FindingChange> All;
  std::set<size_t> Found;
  for (auto [Party, Score, Was] :
       zip(After.Parties, After.Scores,
           matchLines(Before.Parties, After.Parties))) {
    FindingChange Change{Party.Key, "", 0, Score};
    if (Was) {
      Found.insert(*Was);
      Change.OldId = Before.Parties[*Was].Key;
      Change.OldScore = Before.Scores[*Was];
    }
    All.push_back(std::move(Change));
  }
  for (auto [I, Party, Score] : enumerate(Before.Parties, Before.Scores))
    if (!Found.count(I))
      All.push_back({Party.Key, Party.Key, Score, 0});
  erase_if(All, [](const FindingChange &Change) {
    double Larger = std::max(Change.OldScore, Change.NewScore);
    return std::abs(Change.OldScore - Change.NewScore) <= 0.01 * Larger;
  });
  llvm::sort(All, [](const FindingChange &A, const FindingChange &B) {
    return A.Id < B.Id;
  });
  return All;
}

} // namespace linesman::layout
