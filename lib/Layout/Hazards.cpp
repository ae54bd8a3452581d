// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and ranks the lines that several threads can fight over.
//
//  1. Choose the lines to look at: those that hold an end of a touched object
//     or of an access. Between two such lines every line of an object looks
//     alike, so one stands for all.
//  2. Score each (Score.cpp), and drop those without a transfer.
//  3. Lines of one array that differ in nothing become one finding.
//  4. Choose the remedies (Remedy.cpp) and sort.

#include "Remedy.h"
#include "Score.h"
#include "linesman/Layout/Names.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace linesman::layout {

std::vector<LineOccupant> lineOccupants(const Image &Of, const LineMap &Lines,
                                        const AccessTable &Table,
                                        LineIndex Line) {
  std::vector<LineOccupant> Result;
  for (OccupantIndex Index : Lines.occupants(Line)) {
    LineOccupant Place;
    Place.Occupant = Index;
    Place.Range = intersect(Of.range(Index), Lines.range(Line));
    if (Of.occupants()[Index].Kind == OccupantKind::Object) {
      uint32_t Symbol = Of.occupants()[Index].Symbol;
      Place.Object = Table.find(Symbol);
    }
    if (Place.Object) {
      const Symbol &Object = Of.symbol(Index);
      for (const ObjectAccess &A : Place.Object->Accesses) {
        double Weight =
            Table.concurrentWeight(A) * shareOn(A, Object, Place.Range);
        switch (A.Kind) {
        case facts::AccessKind::Read:
          Place.Reads += Weight;
          break;
        case facts::AccessKind::Write:
          Place.Writes += Weight;
          break;
        case facts::AccessKind::Atomic:
          Place.Atomics += Weight;
          break;
        }
      }
    }
    Result.push_back(Place);
  }
  return Result;
}

namespace {

/// Lines of which the first stands for all.
struct LineRun {
  LineIndex First;
  uint64_t Count;
};

/// The bytes of an object that has an occupant: without those that an earlier
/// object owns, and those outside the section.
AddressRange ownBytes(const Image &Of, const Symbol &Object) {
  AddressRange Inside =
      intersect(Object.range(), Of.sections()[Object.Section].Range);
  // Where objects overlap, the later one keeps its end.
  return Of.range(*Of.occupantAt({Inside.End.Value - 1}));
}

/// Lines that look different from the one before or after them.
std::vector<LineIndex> findEdges(const Image &Of, const LineMap &Lines,
                                 const AccessTable &Table) {
  std::vector<LineIndex> Edges;
  auto AddEnds = [&](AddressRange Range) {
    Edges.push_back(Lines.indexOf(Range.Begin));
    Edges.push_back(Lines.indexOf({Range.End.Value - 1}));
  };
  for (const AccessedObject &Object : Table.objects()) {
    const Symbol &S = Of.symbols()[Object.Symbol];
    AddEnds(ownBytes(Of, S));
    for (const ObjectAccess &A : Object.Accesses)
      if (std::optional<AddressRange> Bytes = bytesOf(A, S);
          Bytes && Table.isConcurrent(A))
        AddEnds(*Bytes);
  }
  llvm::sort(Edges);
  Edges.erase(llvm::unique(Edges), Edges.end());
  return Edges;
}

std::vector<LineRun> chooseLines(const Image &Of, const LineMap &Lines,
                                 const AccessTable &Table) {
  std::vector<LineIndex> Edges = findEdges(Of, Lines, Table);
  std::vector<LineRun> Runs;
  for (auto [I, Edge] : enumerate(Edges)) {
    Runs.push_back({Edge, 1});
    // The lines up to the next edge, if a touched object reaches over them.
    if (I + 1 == Edges.size() || Edges[I + 1].Value == Edge.Value + 1)
      continue;
    LineIndex Inner{Edge.Value + 1};
    std::vector<LineOccupant> In = lineOccupants(Of, Lines, Table, Inner);
    if (any_of(In, [](const LineOccupant &P) { return P.Object; }))
      Runs.push_back({Inner, Edges[I + 1].Value - Inner.Value});
  }
  return Runs;
}

std::optional<LineFinding> examine(const Image &Of, const LineMap &Lines,
                                   const AccessTable &Table, LineRun Run) {
  LineFinding Finding;
  Finding.Line = Run.First;
  Finding.Lines = Run.Count;
  Finding.Occupants = lineOccupants(Of, Lines, Table, Run.First);
  LineScore Scored = scoreLine(Of, Table, Finding.Occupants);
  if (Scored.Points.total() <= 0)
    return std::nullopt;
  Finding.Points = Scored.Points;
  Finding.Kind = kindOf(Scored.Points);
  // The first of equals: symbols are ordered by address.
  Finding.Head = max_element(Scored.Forced, [](const auto &A, const auto &B) {
                   return A.second < B.second;
                 })->first;
  return Finding;
}

bool ranksBefore(const LineFinding &A, const LineFinding &B) {
  if (A.Points.total() != B.Points.total())
    return A.Points.total() > B.Points.total();
  return A.Line < B.Line;
}

/// Nobody else is on the line, and its accesses may be anywhere in the head:
/// one of many lines that differ in nothing.
bool isOneOfMany(const LineFinding &Finding, const AccessTable &Table) {
  return all_of(Finding.Occupants, [&](const LineOccupant &Place) {
    return !Place.Object ||
           (Place.Object->Symbol == Finding.Head &&
            all_of(Place.Object->Accesses, [&](const ObjectAccess &A) {
              return !A.Offset || !Table.isConcurrent(A);
            }));
  });
}

/// \p Findings are ranked; the best line of an array stands for the others.
void mergeLikeLines(std::vector<LineFinding> &Findings,
                    const AccessTable &Table) {
  DenseMap<uint32_t, size_t> StandsFor;
  std::vector<LineFinding> Kept;
  for (LineFinding &Finding : Findings) {
    if (isOneOfMany(Finding, Table)) {
      auto [It, IsNew] = StandsFor.try_emplace(Finding.Head, Kept.size());
      if (!IsNew) {
        Kept[It->second].Lines += Finding.Lines;
        continue;
      }
    }
    Kept.push_back(std::move(Finding));
  }
  Findings = std::move(Kept);
}

} // namespace

std::vector<LineFinding> findHazards(const Image &Of, const LineMap &Lines,
                                     const AccessTable &Table) {
  std::vector<LineFinding> Findings;
  for (LineRun Run : chooseLines(Of, Lines, Table))
    if (std::optional<LineFinding> Finding = examine(Of, Lines, Table, Run))
      Findings.push_back(std::move(*Finding));
  llvm::sort(Findings, ranksBefore);
  mergeLikeLines(Findings, Table);
  ObjectNames Names(Of);
  for (LineFinding &Finding : Findings) {
    Finding.Id = Names.id(Finding.Head);
    // A later line of a large object is another finding.
    LinkAddress Head = Of.symbols()[Finding.Head].Address;
    LinkAddress Line = Lines.range(Finding.Line).Begin;
    if (Head < Line)
      Finding.Id += "+0x" + utohexstr(Line - Head, /*LowerCase=*/true);
    Finding.Cure = chooseRemedy(Finding);
  }
  return Findings;
}

} // namespace linesman::layout
