// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks what fields of one type can cost each other.
//
//  1. Score the lines of each phase, chosen as for variables (Hazards.cpp).
//  2. The head of a line is the field whose writes force the most. A head's
//     score is the mean over the phases: luck decides which one an object gets.
//  3. Its finding shows the line where it costs most. A field that shares no
//     line but those already shown is no finding of its own.

#include "Instances.h"
#include "Remedy.h"
#include "Score.h"
#include "UsedTogether.h"
#include "linesman/Facts/KernelNames.h"
#include "linesman/Layout/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;

namespace linesman::layout {

namespace {

/// A field of a type, wherever it is placed: its name.
using FieldPair = std::pair<StringRef, StringRef>;

/// A line of one phase.
struct Look {
  uint32_t Object = 0;
  LineIndex Line;
  Score Points;
  /// The symbol whose writes force the most.
  uint32_t Head = 0;
  std::vector<LineOccupant> Occupants;
  std::vector<ObjectPair> Pairs;
};

/// A written field, with all lines on which its writes force the most.
struct Head {
  StringRef Field;
  Score Mean;
  /// Where it costs most, and its symbol there.
  const Look *Worst = nullptr;
  uint32_t Symbol = 0;
};

void addScaled(Score &Sum, const Score &Points, double Factor) {
  Sum.True += Points.True * Factor;
  Sum.Between += Points.Between * Factor;
  Sum.Within += Points.Within * Factor;
}

class TypeRanker {
public:
  TypeRanker(const TypeScene &Scene, const LineMap &Lines)
      : Scene(Scene), Lines(Lines),
        Chosen(chooseLines(Scene.Image, Lines, Scene.Accesses)) {}

  /// \p Objects are the phases of one type: indices of sections.
  std::vector<LineFinding> rank(ArrayRef<uint32_t> Objects);

private:
  StringRef fieldOf(uint32_t Symbol) const { return Scene.Fields[Symbol].Name; }
  void look(ArrayRef<uint32_t> Objects);
  void leaveTogether(Look &L) const;
  std::vector<Head> findHeads() const;
  bool isSynchronised(uint32_t Type) const {
    return any_of(Scene.Types[Type].Uses,
                  [](const TypeUse &U) { return U.Access.IsSynchronised; });
  }
  LineFinding describe(const Head &H, uint32_t Type) const;
  void placeInGroup(FieldHazard &Field, uint32_t Symbol) const;
  Remedy chooseRemedy(const LineFinding &F, const FieldHazard &Field) const;
  std::string besides(const LineFinding &F, uint32_t Type) const;
  const LineOccupant &headOf(const LineFinding &F) const {
    return *find_if(F.Occupants, [&](const LineOccupant &Place) {
      return Place.Object && Place.Object->Symbol == F.Head;
    });
  }

  const TypeScene &Scene;
  const LineMap &Lines;
  /// No two objects have a line in common.
  std::vector<LineRun> Chosen;
  std::vector<Look> Looks;
  std::vector<Phase> Places;
  uint64_t Phases = 0;
};

void TypeRanker::look(ArrayRef<uint32_t> Objects) {
  Looks.clear();
  Phases = 0;
  Places.clear();
  for (uint32_t Object : Objects) {
    Places.push_back(Scene.Objects[Object].Position);
    Phases += Places.back().Count;
    AddressRange Range = Scene.Image.sections()[Object].Range;
    LineIndex First = Lines.indexOf(Range.Begin);
    auto Run =
        llvm::lower_bound(Chosen, First, [](const LineRun &R, LineIndex Line) {
          return R.First < Line;
        });
    for (; Run != Chosen.end() && Lines.range(Run->First).Begin < Range.End;
         ++Run) {
      Look L;
      L.Object = Object;
      L.Line = Run->First;
      L.Occupants =
          lineOccupants(Scene.Image, Lines, Scene.Accesses, Run->First);
      LineScore Scored = scoreLine(Scene.Image, Scene.Accesses, L.Occupants,
                                   {Scene.Rules.LineBytes});
      L.Points = Scored.Points;
      if (L.Points.total() <= 0)
        continue;
      L.Head = max_element(Scored.Forced, [](const auto &A, const auto &B) {
                 return A.second < B.second;
               })->first;
      L.Pairs = findPairs(Scene.Image, Scene.Accesses, L.Occupants,
                          {Scene.Rules.LineBytes});
      leaveTogether(L);
      Looks.push_back(std::move(L));
    }
  }
}

/// Leaves out what two fields cost each other that only parting them would not
/// spare. Threads may have elements of one array, next to each other: there the
/// same function writes what others have beside it.
void TypeRanker::leaveTogether(Look &L) const {
  if (any_of(Scene.Types[Scene.Objects[L.Object].Type].Uses,
             [](const TypeUse &U) { return U.Access.IsElement; }))
    return;
  auto PlaceOf = [&](uint32_t Symbol) -> const LineOccupant & {
    return *find_if(L.Occupants, [&](const LineOccupant &Place) {
      return Place.Object && Place.Object->Symbol == Symbol;
    });
  };
  double Before = 0, After = 0;
  for (ObjectPair &P : L.Pairs) {
    Before += P.Transfers;
    P.Transfers *=
        shareApart(Scene.Image, Scene.Accesses, PlaceOf(P.A), PlaceOf(P.B));
    After += P.Transfers;
  }
  if (Before > 0)
    L.Points.Between *= After / Before;
}

/// With their scores: the mean over the phases.
std::vector<Head> TypeRanker::findHeads() const {
  std::vector<Head> Heads;
  std::map<StringRef, size_t> IndexOf;
  std::map<std::pair<size_t, uint32_t>, const Look *> WorstOf;
  auto IsWorse = [](const Look &A, const Look &B) {
    return std::pair(A.Points.falseSharing(), A.Points.True) >
           std::pair(B.Points.falseSharing(), B.Points.True);
  };
  for (const Look &L : Looks) {
    auto [It, IsNew] = IndexOf.try_emplace(fieldOf(L.Head), Heads.size());
    if (IsNew)
      Heads.push_back({fieldOf(L.Head), {}, nullptr, 0});
    Head &H = Heads[It->second];
    if (!H.Worst || IsWorse(L, *H.Worst)) {
      H.Worst = &L;
      H.Symbol = L.Head;
    }
    const Look *&Worst = WorstOf[{It->second, L.Object}];
    if (!Worst || IsWorse(L, *Worst))
      Worst = &L;
  }
  for (const auto &[Key, Worst] : WorstOf)
    addScaled(Heads[Key.first].Mean, Worst->Points,
              double(Scene.Objects[Key.second].Position.Count) / Phases);
  return Heads;
}

/// Where to move it: other written fields of the object.
std::string TypeRanker::besides(const LineFinding &F, uint32_t Type) const {
  auto IsOnLine = [&](uint32_t Symbol) {
    return any_of(F.Occupants, [&](const LineOccupant &Place) {
      return Place.Object && Place.Object->Symbol == Symbol;
    });
  };
  for (const AccessedObject &Other : Scene.Accesses.objects()) {
    const TypeField &Field = Scene.Fields[Other.Symbol];
    if (Field.Type != Type ||
        Scene.Image.symbols()[Other.Symbol].Section !=
            Scene.Image.symbols()[F.Head].Section ||
        IsOnLine(Other.Symbol))
      continue;
    if (any_of(Other.Accesses, [&](const ObjectAccess &A) {
          return A.writes() && Scene.Accesses.isConcurrent(A);
        }))
      return formatv("put it beside `{0}`, which is written too, or ",
                     Field.Name);
  }
  return "";
}

Remedy TypeRanker::chooseRemedy(const LineFinding &F,
                                const FieldHazard &Field) const {
  double Least = MinorShare * F.Points.total();
  if (F.Points.falseSharing() <= Least)
    return forSameBytes(Scene.Accesses, headOf(F), {Scene.Rules.LineBytes});
  Remedy Result;
  Result.Kind = RemedyKind::AlignAs;
  uint64_t Bytes = Scene.Rules.LineBytes;
  if (Field.IsArray) {
    Result.Text = formatv("elements of {0} bytes share lines with their "
                          "neighbours: give each one lines of its own, with "
                          "alignas({1}) on the element's type.",
                          Scene.Types[Field.Type].Size, Bytes);
  } else if (F.Points.Between <= Least) {
    Result.Text = formatv("different parts of `{0}` share the line: align its "
                          "elements to lines of their own, alignas({1}).",
                          Field.Member, Bytes);
  } else {
    std::string Others;
    for (const ObjectPair &P : F.Pairs)
      if (P.A == F.Head || P.B == F.Head)
        Others += formatv("{0}`{1}`", Others.empty() ? "" : ", ",
                          fieldOf(P.A == F.Head ? P.B : P.A));
    Result.Text =
        formatv("move `{0}` away from {1}: {2}give it a line of its own with "
                "alignas({3}), and align what follows it, too.",
                Field.Member, Others, besides(F, Field.Type), Bytes);
  }
  if (Field.BreaksGroup)
    Result.Text = formatv("move `{0}` out of the group `{1}`: whoever writes "
                          "it takes the line from all who read the group.",
                          Field.Member, Field.Group);
  if (F.Kind == SharingKind::Mixed)
    Result.Text +=
        sameBytesToo(Scene.Accesses, headOf(F), {Scene.Rules.LineBytes});
  return Result;
}

void TypeRanker::placeInGroup(FieldHazard &Field, uint32_t Symbol) const {
  const TypeField &Member = Scene.Fields[Symbol];
  const auto &Layout = Scene.Layouts[Field.Type];
  if (!Layout)
    return;
  auto Group = find_if(Layout->Groups, [&](const TypeGroup &G) {
    return G.Begin <= Member.Offset && Member.Offset < G.End;
  });
  if (Group == Layout->Groups.end())
    return;
  Field.Group = Group->Name;
  Field.BreaksGroup = facts::isReadGroup(Group->Name);
}

LineFinding TypeRanker::describe(const Head &H, uint32_t Type) const {
  const AccessedType &T = Scene.Types[Type];
  FieldHazard Field;
  Field.Type = Type;
  Field.Member = H.Field.str();
  Field.IsSynchronised = isSynchronised(Type);
  Field.IsArray = Scene.Fields[H.Symbol].Element.has_value();
  Field.Phases = Phases;
  placeInGroup(Field, H.Symbol);
  LineFinding F;
  F.Head = H.Symbol;
  // One element of an array is as good as the other.
  F.Id = T.Name + "::" + Field.Member;
  if (Field.IsArray)
    F.Id = T.Name + "[]" + H.Field.split(']').second.str();
  F.Reached = Rung::Suspected;
  F.Points = H.Mean;
  F.Kind = kindOf(H.Mean);
  F.Line = H.Worst->Line;
  F.Occupants = H.Worst->Occupants;
  F.Pairs = H.Worst->Pairs;

  // Of the one that it costs most with.
  const ObjectPair *Partner = nullptr;
  for (const ObjectPair &P : F.Pairs)
    if ((P.A == H.Symbol || P.B == H.Symbol) &&
        (!Partner || P.Transfers > Partner->Transfers))
      Partner = &P;
  if (Partner) {
    const TypeField &A = Scene.Fields[Partner->A];
    const TypeField &B = Scene.Fields[Partner->B];
    auto Begin = [&](const TypeField &Part) {
      return Part.Offset + Part.Element.value_or(0) * T.Size;
    };
    Field.Partner = (Partner->A == H.Symbol ? B : A).Name;
    Field.Shared = countShared(Places, Scene.Rules.LineBytes, Begin(A), A.Size,
                               Begin(B), B.Size);
  }
  F.Cure = chooseRemedy(F, Field);
  F.About = std::move(Field);
  return F;
}

std::vector<LineFinding> TypeRanker::rank(ArrayRef<uint32_t> Objects) {
  uint32_t Type = Scene.Objects[Objects.front()].Type;
  look(Objects);
  std::vector<Head> Heads = findHeads();
  stable_sort(Heads, [](const Head &A, const Head &B) {
    return std::pair(A.Mean.falseSharing(), A.Mean.True) >
           std::pair(B.Mean.falseSharing(), B.Mean.True);
  });
  std::vector<LineFinding> Findings;
  std::set<FieldPair> Shown;
  std::set<StringRef> ShownFields;
  for (const Head &H : Heads) {
    bool IsNew = false;
    for (const ObjectPair &P : H.Worst->Pairs) {
      FieldPair Pair = std::minmax(fieldOf(P.A), fieldOf(P.B));
      IsNew |= (P.A == H.Symbol || P.B == H.Symbol) && !Shown.count(Pair);
    }
    // Within it, or alone.
    if (none_of(H.Worst->Pairs, [&](const ObjectPair &P) {
          return P.A == H.Symbol || P.B == H.Symbol;
        }))
      IsNew = !ShownFields.count(H.Field);
    if (!IsNew)
      continue;
    LineFinding F = describe(H, Type);
    if (F.Kind == SharingKind::True && !isSynchronised(Type))
      continue;
    for (const ObjectPair &P : H.Worst->Pairs)
      Shown.insert(std::minmax(fieldOf(P.A), fieldOf(P.B)));
    for (const LineOccupant &Place : H.Worst->Occupants)
      if (Place.Object)
        ShownFields.insert(fieldOf(Place.Object->Symbol));
    Findings.push_back(std::move(F));
    // Elements differ in nothing.
    if (Scene.Fields[H.Symbol].Element)
      break;
  }
  return Findings;
}

} // namespace

std::vector<LineFinding> findTypeHazards(const TypeScene &Scene,
                                         const LineMap &Lines) {
  std::vector<LineFinding> Findings;
  TypeRanker Ranker(Scene, Lines);
  for (uint32_t I = 0; I != Scene.Objects.size();) {
    SmallVector<uint32_t, 8> Objects;
    uint32_t Type = Scene.Objects[I].Type;
    for (; I != Scene.Objects.size() && Scene.Objects[I].Type == Type; ++I)
      Objects.push_back(I);
    for (LineFinding &F : Ranker.rank(Objects))
      Findings.push_back(std::move(F));
  }
  auto Reason = [](const LineFinding &F) {
    const FieldHazard &Field = std::get<FieldHazard>(F.About);
    // Who keeps what is read together says that threads share it, too.
    return std::pair(F.Kind != SharingKind::True,
                     Field.IsSynchronised || Field.BreaksGroup);
  };
  stable_sort(Findings, [&](const LineFinding &A, const LineFinding &B) {
    return std::pair(Reason(A), A.score()) > std::pair(Reason(B), B.score());
  });
  // Other instances of a template behind those for which there is as much
  // reason.
  TemplateInstances Instances;
  std::vector<LineFinding> Ordered, Later;
  for (LineFinding &F : Findings) {
    const FieldHazard &Field = std::get<FieldHazard>(F.About);
    (Instances.isLater(Scene.Types[Field.Type].Name, Field.Member) ? Later
                                                                   : Ordered)
        .push_back(std::move(F));
  }
  std::move(Later.begin(), Later.end(), std::back_inserter(Ordered));
  stable_sort(Ordered, [&](const LineFinding &A, const LineFinding &B) {
    return Reason(A) > Reason(B);
  });
  return Ordered;
}

} // namespace linesman::layout
