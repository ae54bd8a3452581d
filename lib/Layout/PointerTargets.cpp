// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worklist over cells that only grow.

#include "PointerTargets.h"
#include "TypeNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <utility>

using namespace llvm;
using linesman::facts::Origin;
using linesman::facts::PointerUse;

namespace linesman::layout {

/// Of one object in one cell; then its offset is not known.
static constexpr unsigned MostOffsets = 4;
/// Of one cell: what may be any of more objects says nothing about one.
static constexpr size_t MostTargets = 64;
/// The same of records without an address.
static constexpr size_t MostRecords = 16;

Targets::Key Targets::keyOf(const Place &P) const {
  switch (P.Kind) {
  case Origin::Parameter:
    return {P.Kind, P.Function, int64_t(P.Value)};
  case Origin::Result:
    return {P.Kind, P.Function, 0};
  case Origin::Loaded:
    return {P.Kind, P.Value, 0};
  case Origin::Field:
    return {P.Kind, Templates[P.Record], P.Offset};
  default:
    return {P.Kind, P.Value, P.Offset};
  }
}

Targets::Cell Targets::intern(const Key &Wanted) {
  auto [It, IsNew] = CellOf.try_emplace(Wanted, Contents.size());
  if (IsNew)
    Contents.emplace_back();
  return It->second;
}

Targets::Cell Targets::internPlace(uint32_t Number) {
  Cell &Known = PlaceCells[Number];
  if (Known != NoCell)
    return Known;
  const Place &P = Table.place(Number);
  if (P.Kind != Origin::Parameter)
    return Known = intern(keyOf(P));
  Known = Contents.size();
  Contents.emplace_back();
  return Known;
}

static bool isSource(const Place &P) {
  switch (P.Kind) {
  case Origin::Parameter:
    return P.Function != NoNode;
  case Origin::Result:
    return P.Function != NoNode || P.Value;
  case Origin::Field:
  case Origin::Loaded:
    return true;
  case Origin::Variable:
    return P.Value != 0;
  case Origin::Object:
  case Origin::Unknown:
    return false;
  }
  return false;
}

Targets::Targets(const PointerTable &Table)
    : Table(Table), PlaceCells(Table.placeCount(), NoCell) {
  StringMap<uint32_t> Known;
  for (uint32_t I = 0; I != Table.recordCount(); ++I) {
    std::string Like = templateName(plainTypeName(Table.record(I)));
    Templates.push_back(Known.try_emplace(Like, Known.size()).first->second);
  }
  // Most cells are places; moving them when there are more is dear.
  Contents.reserve(Table.placeCount());
  Flows.reserve(Table.size());
  for (const FunctionUses &Function : Table.functions())
    for (uint32_t I = Function.Begin; I != Function.End; ++I)
      addUse(Table[I]);
  connectVariables();
  askAll();
  markEmpty();
  solve();
  markUnread();
  solve();
}

void Targets::addUse(const KeptUse &Use) {
  const Place &Start = Table.sourceOf(Use);
  std::optional<Cell> Source;
  if (isSource(Start))
    Source = internPointer(Use.Source);
  std::optional<Cell> Target;
  switch (Use.Kind) {
  case PointerUse::Access:
    break;
  case PointerUse::Handed:
    if (Use.Destination != NoPlace)
      Target = internPlace(Use.Destination);
    break;
  case PointerUse::Returned:
    if (Use.Destination != NoPlace) {
      Target = internPlace(Use.Destination);
      Contents[*Target].IsResult = true;
    }
    break;
  case PointerUse::Stored:
    if (const Place &Stored = Table.place(Use.Destination);
        Stored.Kind == Origin::Field || Stored.Value)
      Target = internPlace(Use.Destination);
    break;
  case PointerUse::StoredThrough:
    Target = Contents.size();
    Contents.emplace_back();
    addThrough(Use, *Target);
    break;
  case PointerUse::LoadedThrough:
    addThrough(Use, internPlace(Use.Destination));
    break;
  }
  if (!Target)
    return;
  if (Start.Kind == Origin::Object) {
    if (Start.Value)
      include(*Target, {Start.Value, Use.Offset, Use.HasOffset});
    Contents[*Target].HasOthers |= Use.IsMay;
    Contents[*Target].IsGivenOthers |= Use.IsMay;
    return;
  }
  // Only an object is known not to be another one.
  Contents[*Target].HasOthers = true;
  if (Source)
    addFlow(*Source, {*Target, /*IsLoad=*/false, Use.HasOffset, Use.Offset});
  if (Source && Table.storesThrough() && Use.Kind == PointerUse::Handed)
    GivenBy[*Target].push_back(*Source);
  // Not all callers are seen.
  if (!Source || Start.Kind == Origin::Parameter)
    Contents[*Target].IsGivenOthers = true;
}

/// Where nothing is seen to come from, it comes from elsewhere.
void Targets::markEmpty() {
  std::vector<bool> IsGiven(Contents.size());
  for (const Flow &F : Flows)
    IsGiven[F.Destination] = true;
  // Of what is loaded that is known only in the end.
  for (const RecordContent &C : RecordContents)
    for (const FieldUse &T : C.FieldUses)
      IsGiven[T.Moved] = true;
  for (auto [I, C] : enumerate(Contents)) {
    C.IsGivenOthers |= !IsGiven[I] && C.Targets.empty();
    if (C.IsGivenOthers)
      wait(I);
  }
}

/// A load from a place that is not known reads all; a store there writes all.
void Targets::connectVariables() {
  std::map<uint64_t, SmallVector<std::pair<int64_t, Cell>, 4>> ByObject;
  for (const auto &[Place, C] : CellOf)
    if (std::get<0>(Place) == Origin::Variable)
      ByObject[std::get<1>(Place)].push_back({std::get<2>(Place), C});
  for (auto &[Object, Cells] : ByObject) {
    if (Cells.size() == 1)
      continue;
    llvm::sort(Cells);
    auto CellAt = [&](int64_t Offset) {
      return find_if(Cells, [&](const auto &C) { return C.first == Offset; });
    };
    auto Loaded = CellAt(Place::Anywhere), Stored = CellAt(Place::Somewhere);
    for (const auto &[Offset, C] : Cells) {
      if (Loaded != Cells.end() && Offset != Place::Anywhere)
        addFlow(C, {Loaded->second});
      if (Stored != Cells.end() && Offset != Place::Somewhere &&
          Offset != Place::Anywhere)
        addFlow(Stored->second, {C});
    }
  }
}

void Targets::include(Cell Owner, Target New) {
  Content &C = Contents[Owner];
  if (isRecord(New)) {
    SmallVectorImpl<Target> &Records = recordsOf(Owner).Records;
    if (Records.size() < MostRecords && none_of(Records, [&](const Target &T) {
          return T.Object == New.Object && T.offset() == New.offset();
        })) {
      Records.push_back(New);
      wait(Owner);
    }
    return;
  }
  if (C.IsFull)
    return;
  unsigned Offsets = 0;
  for (Target &T : C.Targets)
    if (T.Object == New.Object) {
      if (!T.HasOffset || T.offset() == New.offset()) {
        // Another way is better known.
        if (T.IsByMember && !New.IsByMember) {
          T.IsByMember = false;
          wait(Owner);
        }
        return;
      }
      ++Offsets;
    }
  if (Offsets >= MostOffsets)
    New.move(std::nullopt);
  if (!New.HasOffset)
    erase_if(C.Targets,
             [&](const Target &T) { return T.Object == New.Object; });
  C.Targets.push_back(New);
  C.IsFull = C.Targets.size() > MostTargets;
  wait(Owner);
}

void Targets::wait(Cell For) {
  if (!std::exchange(Contents[For].IsWaiting, true))
    Waiting.push_back(For);
}

void Targets::solve() {
  // In rounds: who waits longest comes first. A cell in a knot of thousands is
  // then looked at a few times, and not again for each of its neighbours.
  for (std::vector<Cell> Round; !Waiting.empty();) {
    Round.clear();
    std::swap(Round, Waiting);
    for (Cell Source : Round) {
      Contents[Source].IsWaiting = false;
      meet(Source);
      pass(Source);
    }
  }
}

/// Gives all that is known of a cell to those that it flows to.
void Targets::pass(Cell Source) {
  if (Contents[Source].FirstFlow == NoFlow)
    return;
  const SmallVector<Target, 0> Now = allTargets(Source);
  for (uint32_t I = Contents[Source].FirstFlow; I != NoFlow;
       I = Flows[I].Next) {
    Flow Next = Flows[I];
    const Content &Given = Contents[Source];
    Content &Taker = Contents[Next.Destination];
    bool Changes = (Given.IsFull && !Taker.IsFull) ||
                   (Given.IsGivenOthers && !Taker.IsGivenOthers);
    Taker.IsFull |= Given.IsFull;
    Taker.IsGivenOthers |= Given.IsGivenOthers;
    if (Changes)
      wait(Next.Destination);
    const bool TakesObjects = !Taker.IsFull, IsResult = Taker.IsResult;
    for (Target T : Now) {
      if (!TakesObjects && !isRecord(T))
        continue;
      T.move(Next.shift());
      T.IsByMember |= Next.IsLoad;
      // An allocator's lists begin and end in its own static record.
      if (!(T.IsByMember && IsResult))
        include(Next.Destination, T);
    }
  }
}

Targets::Cell Targets::internPointer(uint32_t Source) {
  const Place &P = Table.place(Source);
  if (P.Kind != Origin::Result || !P.Value)
    return internPlace(Source);
  // Each call has a result of its own: what allocates, allocates for many.
  Cell &Site = PlaceCells[Source];
  if (Site != NoCell)
    return Site;
  Site = Contents.size();
  Contents.emplace_back();
  if (P.Function == NoNode) {
    Contents[Site].IsGivenOthers = true;
    return Site;
  }
  Cell All = intern(keyOf(P));
  addFlow(All, {Site});
  return Site;
}

void Targets::addThrough(const KeptUse &Use, Cell Moved) {
  const bool IsStore = Use.Kind == PointerUse::StoredThrough;
  const Place &Start = Table.sourceOf(Use);
  if (!IsStore && !isSource(Start))
    return;
  Cell Pointer = internPointer(IsStore ? Use.Destination : Use.Source);
  recordsOf(Pointer).FieldUses.push_back(
      {Moved, IsStore ? Use.Distance : Use.Offset, IsStore});
  if (!IsStore)
    LoadedFrom[Moved].push_back(Pointer);
  else if (Start.Kind != Origin::Unknown)
    ask(Pointer);
}

uint64_t Targets::recordOf(Cell Pointer) { return uint64_t(1) << 63 | Pointer; }

bool Targets::isRecord(const Target &T) { return T.Object >> 63; }

void Targets::ask(Cell Pointer) {
  if (std::exchange(Contents[Pointer].IsAsked, true))
    return;
  include(Pointer, {recordOf(Pointer), 0, /*HasOffset=*/true});
  Asked.push_back(Pointer);
}

/// Who gives a function the record that it puts an address in gives it to
/// others, too.
void Targets::askAll() {
  while (!Asked.empty()) {
    Cell Pointer = Asked.back();
    Asked.pop_back();
    for (const auto *Sources : {&GivenBy, &LoadedFrom})
      if (auto It = Sources->find(Pointer); It != Sources->end())
        for_each(It->second, [&](Cell Source) { ask(Source); });
  }
}

Targets::Cell Targets::placeIn(uint64_t Object, int64_t Offset) {
  size_t Known = Contents.size();
  Cell Place = intern({Origin::Variable, Object, Offset});
  if (Place == Known) {
    if (auto It = CellOf.find({Origin::Variable, Object, Place::Anywhere});
        It != CellOf.end())
      link(Place, {It->second});
    if (auto It = CellOf.find({Origin::Variable, Object, Place::Somewhere});
        It != CellOf.end())
      link(It->second, {Place});
    // Without symbols each place is an object of its own.
    if (auto It = CellOf.find({Origin::Variable, Object + Offset, 0});
        It != CellOf.end() && Offset && !isRecord({Object})) {
      link(Place, {It->second});
      link(It->second, {Place});
    }
  }
  return Place;
}

Targets::RecordContent &Targets::recordsOf(Cell Pointer) {
  uint32_t &Number = Contents[Pointer].Records;
  if (Number == NoRecords) {
    Number = RecordContents.size();
    RecordContents.emplace_back();
  }
  return RecordContents[Number];
}

/// A copy: including in other cells may add to this one.
SmallVector<Target, 0> Targets::allTargets(Cell Pointer) const {
  const Content &C = Contents[Pointer];
  SmallVector<Target, 0> All(C.Targets.begin(), C.Targets.end());
  if (C.Records != NoRecords)
    append_range(All, RecordContents[C.Records].Records);
  return All;
}

void Targets::addFlow(Cell Source, Flow Edge) {
  Content &C = Contents[Source];
  uint32_t &Last = C.LastFlow == NoFlow ? C.FirstFlow : Flows[C.LastFlow].Next;
  Last = C.LastFlow = Flows.size();
  Flows.push_back(Edge);
}

void Targets::link(Cell Source, Flow Edge) {
  if (!Linked.insert({Source, Edge.Destination}).second)
    return;
  addFlow(Source, Edge);
  wait(Source);
}

/// A pointer to a known place meets what is stored and loaded through it.
void Targets::meet(Cell Pointer) {
  if (Contents[Pointer].Records == NoRecords)
    return;
  for (size_t I = 0; I != recordsOf(Pointer).FieldUses.size(); ++I) {
    FieldUse T = recordsOf(Pointer).FieldUses[I];
    SmallVector<Target, 0> Now = allTargets(Pointer);
    for (const Target &Record : Now) {
      if (!Record.HasOffset || Record.Offset + T.Distance < 0)
        continue;
      Cell Place = placeIn(Record.Object, Record.Offset + T.Distance);
      if (T.IsStore) {
        link(T.Moved, {Place});
        continue;
      }
      link(Place, {T.Moved, /*IsLoad=*/true});
      if (Contents[T.Moved].IsAsked && !PlaceRecords.contains(Record.Object)) {
        PlaceRecords.insert(recordOf(Place));
        ask(Place);
      }
    }
  }
}

/// What is loaded from where nothing is seen to be stored may be anything.
void Targets::markUnread() {
  DenseSet<Cell> Read;
  for (auto [Source, Destination] : Linked)
    Read.insert(Destination);
  for (const auto &[Loaded, Pointers] : LoadedFrom)
    if (!Read.contains(Loaded) &&
        !std::exchange(Contents[Loaded].IsGivenOthers, true))
      wait(Loaded);
}

std::optional<Targets::Cell> Targets::find(const KeptUse &Use) const {
  if (Use.SourceKind != Origin::Field && Use.SourceKind != Origin::Loaded) {
    const Place &Source = Table.sourceOf(Use);
    if (!isSource(Source))
      return std::nullopt;
    // What a call returns is what the function returns to any.
    if (Source.Kind == Origin::Result && Source.Value) {
      auto It = CellOf.find(keyOf(Source));
      return It != CellOf.end() ? std::optional(It->second) : std::nullopt;
    }
  }
  return PlaceCells[Use.Source];
}

Pointees Targets::of(const KeptUse &Use) const {
  Pointees Found;
  std::optional<Cell> C = find(Use);
  if (!C)
    return Found;
  const Content &Known = Contents[*C];
  if (!Known.IsFull)
    Found.Targets = Known.Targets;
  Found.AreTooMany = Known.IsFull;
  Found.HaveOthers = Known.HasOthers || Use.SourceKind != Origin::Result;
  Found.AreGivenOthers = Known.IsGivenOthers;
  return Found;
}

} // namespace linesman::layout
