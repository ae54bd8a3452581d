// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worklist over cells that only grow.

#include "PointerTargets.h"
#include "TypeNames.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <utility>

using namespace llvm;
using linesman::facts::Origin;
using linesman::facts::PointerUse;

namespace linesman::layout {

/// Offsets of a variable's cells that are not at one offset: what is stored
/// somewhere in it, which may be at each, and what is stored anywhere in it,
/// which a load from somewhere may give.
static constexpr int64_t Somewhere = -1, Anywhere = -2;
/// Of one object in one cell; then its offset is not known.
static constexpr unsigned MostOffsets = 4;
/// Of one cell: what may be any of more objects says nothing about one.
static constexpr size_t MostTargets = 64;
/// The same of records without an address.
static constexpr size_t MostRecords = 16;

Targets::Key Targets::keyOf(const Origin &Source, NodeIndex User,
                            NodeIndex Function, int64_t Unknown) const {
  switch (Source.Kind) {
  case Origin::Parameter:
    return {Source.Kind, User, int64_t(Source.Value)};
  case Origin::Result:
    return {Source.Kind, Function, 0};
  case Origin::Loaded:
    return {Source.Kind, Source.Value, 0};
  case Origin::Field:
    return {Source.Kind, Records.lookup(Source.Record),
            int64_t(Source.Offset.value_or(0))};
  default:
    return {Source.Kind, Source.Value,
            Source.Offset ? int64_t(*Source.Offset) : Unknown};
  }
}

void Targets::internRecord(StringRef Name) {
  auto [It, IsNew] = Records.try_emplace(Name);
  if (!IsNew)
    return;
  std::string Like = templateName(plainTypeName(Name));
  It->second = Templates.try_emplace(Like, Templates.size() + 1).first->second;
}

Targets::Cell Targets::intern(const Key &Wanted) {
  auto [It, IsNew] = CellOf.try_emplace(Wanted, Contents.size());
  if (IsNew)
    Contents.emplace_back();
  return It->second;
}

static bool isSource(const GraphUse &U) {
  switch (U.Use.Source.Kind) {
  case Origin::Parameter:
    return U.User != NoNode;
  case Origin::Result:
    return U.SourceFunction != NoNode || U.Use.Source.Value;
  case Origin::Field:
  case Origin::Loaded:
    return true;
  case Origin::Variable:
    return U.Use.Source.Value != 0;
  case Origin::Object:
  case Origin::Unknown:
    return false;
  }
  return false;
}

Targets::Targets(const GraphUses &Uses) {
  const bool HasRecords = any_of(Uses, [](const GraphUse &U) {
    return U.Use.Kind == PointerUse::StoredThrough;
  });
  for (const GraphUse &U : Uses)
    for (StringRef Record : {U.Use.Source.Record, U.Use.Into.Record})
      if (!Record.empty())
        internRecord(Record);
  for (const GraphUse &U : Uses) {
    std::optional<Cell> Source;
    if (isSource(U))
      Source = internPointer(U.Use.Source, U.User, U.SourceFunction);
    std::optional<Cell> Target;
    switch (U.Use.Kind) {
    case PointerUse::Access:
      break;
    case PointerUse::Handed:
      if (U.Callee != NoNode)
        Target =
            intern({Origin::Parameter, U.Callee, int64_t(U.Use.Parameter)});
      break;
    case PointerUse::Returned:
      if (U.User != NoNode) {
        Target = intern({Origin::Result, U.User, 0});
        Contents[*Target].IsResult = true;
      }
      break;
    case PointerUse::Stored:
      if (U.Use.Into.Kind == Origin::Field || U.Use.Into.Value)
        Target = intern(keyOf(U.Use.Into, U.User, NoNode, Somewhere));
      break;
    case PointerUse::StoredThrough:
      Target = Contents.size();
      Contents.emplace_back();
      addThrough(U, *Target);
      break;
    case PointerUse::LoadedThrough:
      addThrough(U, intern(keyOf(U.Use.Into, U.User, NoNode, Anywhere)));
      break;
    }
    if (!Target)
      continue;
    if (U.Use.Source.Kind == Origin::Object) {
      if (U.Use.Source.Value)
        include(*Target, {U.Use.Source.Value, U.Use.Offset});
      Contents[*Target].HasOthers |= U.Use.IsMay;
      Contents[*Target].IsGivenOthers |= U.Use.IsMay;
      continue;
    }
    // Only an object is known not to be another one.
    Contents[*Target].HasOthers = true;
    if (Source)
      Contents[*Source].Flows.push_back({*Target, U.Use.Offset});
    if (Source && HasRecords && U.Use.Kind == PointerUse::Handed)
      GivenBy[*Target].push_back(*Source);
    // Not all callers are seen.
    if (!Source || U.Use.Source.Kind == Origin::Parameter)
      Contents[*Target].IsGivenOthers = true;
  }
  connectVariables();
  askAll();
  markEmpty();
  solve();
  markUnread();
  solve();
}

/// Where nothing is seen to come from, it comes from elsewhere.
void Targets::markEmpty() {
  std::vector<bool> IsGiven(Contents.size());
  for (const Content &C : Contents) {
    for (const Flow &F : C.Flows)
      IsGiven[F.Destination] = true;
    // Of what is loaded that is known only in the end.
    for (const Through &T : C.Throughs)
      IsGiven[T.Moved] = true;
  }
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
    auto Loaded = CellAt(Anywhere), Stored = CellAt(Somewhere);
    for (const auto &[Offset, C] : Cells) {
      if (Loaded != Cells.end() && Offset != Anywhere)
        Contents[C].Flows.push_back({Loaded->second, 0});
      if (Stored != Cells.end() && Offset != Somewhere && Offset != Anywhere)
        Contents[Stored->second].Flows.push_back({C, 0});
    }
  }
}

void Targets::include(Cell Into, Target New) {
  Content &C = Contents[Into];
  if (isRecord(New)) {
    if (C.Records.size() < MostRecords &&
        none_of(C.Records, [&](const Target &T) {
          return T.Object == New.Object && T.Offset == New.Offset;
        })) {
      C.Records.push_back(New);
      wait(Into);
    }
    return;
  }
  if (C.IsFull)
    return;
  unsigned Offsets = 0;
  for (Target &T : C.Targets)
    if (T.Object == New.Object) {
      if (T.Offset == New.Offset || !T.Offset) {
        // Another way is better known.
        if (T.IsByMember && !New.IsByMember) {
          T.IsByMember = false;
          wait(Into);
        }
        return;
      }
      ++Offsets;
    }
  if (Offsets >= MostOffsets)
    New.Offset.reset();
  if (!New.Offset)
    erase_if(C.Targets,
             [&](const Target &T) { return T.Object == New.Object; });
  C.Targets.push_back(New);
  C.IsFull = C.Targets.size() > MostTargets;
  wait(Into);
}

void Targets::wait(Cell For) {
  if (!std::exchange(Contents[For].IsWaiting, true))
    Waiting.push_back(For);
}

void Targets::solve() {
  while (!Waiting.empty()) {
    Cell Source = Waiting.back();
    Waiting.pop_back();
    Contents[Source].IsWaiting = false;
    meet(Source);
    // Including may add to this cell, if it flows into itself.
    SmallVector<Target, 0> Now = Contents[Source].Targets;
    append_range(Now, Contents[Source].Records);
    for (size_t I = 0; I != Contents[Source].Flows.size(); ++I) {
      Flow Next = Contents[Source].Flows[I];
      if (Contents[Source].IsFull && !Contents[Next.Destination].IsFull) {
        Contents[Next.Destination].IsFull = true;
        wait(Next.Destination);
      }
      if (Contents[Source].IsGivenOthers &&
          !Contents[Next.Destination].IsGivenOthers) {
        Contents[Next.Destination].IsGivenOthers = true;
        wait(Next.Destination);
      }
      for (Target T : Now) {
        T.Offset = T.Offset && Next.Shift
                       ? std::optional(*T.Offset + *Next.Shift)
                       : std::nullopt;
        T.IsByMember |= Next.IsLoad;
        // An allocator's lists begin and end in its own static record.
        if (!(T.IsByMember && Contents[Next.Destination].IsResult))
          include(Next.Destination, T);
      }
    }
  }
}

Targets::Cell Targets::internPointer(const Origin &Source, NodeIndex Owner,
                                     NodeIndex Function) {
  Key Like = keyOf(Source, Owner, Function, Anywhere);
  if (Source.Kind != Origin::Result || !Source.Value)
    return intern(Like);
  // Each call has a result of its own: what allocates, allocates for many.
  auto [It, IsNew] = CellOf.try_emplace(
      Key{Origin::Result, Function, int64_t(Source.Value)}, Contents.size());
  Cell Site = It->second;
  if (!IsNew)
    return Site;
  Contents.emplace_back();
  if (Function == NoNode) {
    Contents[Site].IsGivenOthers = true;
    return Site;
  }
  Cell All = intern(Like);
  Contents[All].Flows.push_back({Site, 0});
  return Site;
}

void Targets::addThrough(const GraphUse &U, Cell Moved) {
  const bool IsStore = U.Use.Kind == PointerUse::StoredThrough;
  if (!IsStore && !isSource(U))
    return;
  Cell Pointer = internPointer(IsStore ? U.Use.Into : U.Use.Source, U.User,
                               IsStore ? U.Callee : U.SourceFunction);
  Contents[Pointer].Throughs.push_back(
      {Moved, IsStore ? U.Use.Distance : U.Use.Offset.value_or(0), IsStore});
  if (!IsStore)
    LoadedFrom[Moved].push_back(Pointer);
  else if (U.Use.Source.Kind != Origin::Unknown)
    ask(Pointer);
}

uint64_t Targets::recordOf(Cell Pointer) { return uint64_t(1) << 63 | Pointer; }

bool Targets::isRecord(const Target &T) { return T.Object >> 63; }

void Targets::ask(Cell Pointer) {
  if (std::exchange(Contents[Pointer].IsAsked, true))
    return;
  include(Pointer, {recordOf(Pointer), 0});
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
    if (auto It = CellOf.find({Origin::Variable, Object, Anywhere});
        It != CellOf.end())
      link(Place, {It->second, 0});
    if (auto It = CellOf.find({Origin::Variable, Object, Somewhere});
        It != CellOf.end())
      link(It->second, {Place, 0});
    // Without symbols each place is an object of its own.
    if (auto It = CellOf.find({Origin::Variable, Object + Offset, 0});
        It != CellOf.end() && Offset && !isRecord({Object, Offset})) {
      link(Place, {It->second, 0});
      link(It->second, {Place, 0});
    }
  }
  return Place;
}

void Targets::link(Cell Source, Flow Into) {
  if (!Linked.insert({Source, Into.Destination}).second)
    return;
  Contents[Source].Flows.push_back(Into);
  wait(Source);
}

/// A pointer to a known place meets what is stored and loaded through it.
void Targets::meet(Cell Pointer) {
  for (size_t I = 0; I != Contents[Pointer].Throughs.size(); ++I) {
    Through T = Contents[Pointer].Throughs[I];
    SmallVector<Target, 0> Now = Contents[Pointer].Targets;
    append_range(Now, Contents[Pointer].Records);
    for (const Target &Record : Now) {
      if (!Record.Offset || *Record.Offset + T.Distance < 0)
        continue;
      Cell Place = placeIn(Record.Object, *Record.Offset + T.Distance);
      if (T.IsStore) {
        link(T.Moved, {Place, 0});
        continue;
      }
      link(Place, {T.Moved, 0, /*IsLoad=*/true});
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
  for (auto [Source, Into] : Linked)
    Read.insert(Into);
  for (const auto &[Loaded, Pointers] : LoadedFrom)
    if (!Read.contains(Loaded) &&
        !std::exchange(Contents[Loaded].IsGivenOthers, true))
      wait(Loaded);
}

std::optional<Targets::Cell> Targets::find(const GraphUse &Use) const {
  if (!isSource(Use))
    return std::nullopt;
  auto It = CellOf.find(
      keyOf(Use.Use.Source, Use.User, Use.SourceFunction, Anywhere));
  return It != CellOf.end() ? std::optional(It->second) : std::nullopt;
}

ArrayRef<Target> Targets::of(const GraphUse &Use) const {
  std::optional<Cell> C = find(Use);
  return C && !Contents[*C].IsFull ? ArrayRef<Target>(Contents[*C].Targets)
                                   : ArrayRef<Target>();
}

bool Targets::areTooMany(const GraphUse &Use) const {
  std::optional<Cell> C = find(Use);
  return C && Contents[*C].IsFull;
}

bool Targets::hasOthers(const GraphUse &Use) const {
  std::optional<Cell> C = find(Use);
  return !C || Use.Use.Source.Kind != Origin::Result || Contents[*C].HasOthers;
}

bool Targets::isGivenOthers(const GraphUse &Use) const {
  std::optional<Cell> C = find(Use);
  return !C || Contents[*C].IsGivenOthers;
}

} // namespace linesman::layout
