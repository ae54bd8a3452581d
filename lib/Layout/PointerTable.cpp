// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From facts about pointers to the table of the join.

#include "linesman/Layout/PointerTable.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using linesman::facts::Origin;
using linesman::facts::PointerUse;

namespace linesman::layout {

/// Number 0 is what most uses have.
PointerTable::PointerTable() {
  Conditions.intern({});
  Files.intern("");
}

uint32_t PointerTable::intern(const Place &P) {
  constexpr uint64_t MostParameters = 16;
  const bool IsOfFunction =
      P.Function != NoNode &&
      (P.Kind == Origin::Parameter ? P.Value < MostParameters
                                   : P.Kind == Origin::Result && !P.Value);
  if (!IsOfFunction)
    return Places.intern(P);
  if (P.Function >= FunctionPlaces.size())
    FunctionPlaces.resize(P.Function + 1, NoPlace);
  uint32_t &Last = FunctionPlaces[P.Function];
  for (uint32_t I = Last; I != NoPlace; I = Places[I].Next)
    if (Places[I] == P)
      return I;
  Place New = P;
  New.Next = Last;
  return Last = Places.append(New);
}

uint32_t PointerTable::intern(const Origin &Source, NodeIndex User,
                              int64_t UnknownOffset, CallGraphBuilder &Graph) {
  Place P;
  P.Kind = Source.Kind;
  switch (Source.Kind) {
  case Origin::Parameter:
    P.Function = User;
    P.Value = Source.Value;
    break;
  case Origin::Result:
    P.Function = Graph.intern(Source.Function);
    P.Value = Source.Value;
    break;
  case Origin::Field:
    P.Record = Records.intern(Source.Record);
    P.Offset = int64_t(Source.Offset.value_or(0));
    break;
  case Origin::Loaded:
    P.Value = Source.Value;
    P.Offset = int64_t(Source.Offset.value_or(0));
    break;
  case Origin::Variable:
    P.Value = Source.Value;
    P.Offset = Source.Offset ? int64_t(*Source.Offset) : UnknownOffset;
    break;
  case Origin::Object:
    P.Value = Source.Value;
    break;
  case Origin::Unknown:
    break;
  }
  return intern(P);
}

uint32_t PointerTable::internDestination(const PointerUse &Use, NodeIndex User,
                                         CallGraphBuilder &Graph) {
  Place P;
  switch (Use.Kind) {
  case PointerUse::Access:
    return NoPlace;
  case PointerUse::Handed:
    P.Kind = Origin::Parameter;
    P.Function = Graph.intern(Use.Callee);
    P.Value = Use.Parameter;
    return P.Function == NoNode ? NoPlace : intern(P);
  case PointerUse::Returned:
    P.Kind = Origin::Result;
    P.Function = User;
    return User == NoNode ? NoPlace : intern(P);
  case PointerUse::Stored:
    return intern(Use.Destination, User, Place::Somewhere, Graph);
  case PointerUse::StoredThrough:
  case PointerUse::LoadedThrough:
    return intern(Use.Destination, User, Place::Anywhere, Graph);
  }
  llvm_unreachable("unknown kind of use");
}

void PointerTable::add(const facts::PointerFacts &Facts, NodeIndex User,
                       CallGraphBuilder &Graph) {
  FunctionUses &Function = Functions.emplace_back();
  Function.User = User;
  Function.HasProfile = Facts.HasProfile;
  Function.Begin = size();
  for (const PointerUse &Use : Facts.Uses) {
    KeptUse &Kept = Uses.emplace_back();
    Kept.Source = intern(Use.Source, User, Place::Anywhere, Graph);
    Kept.Destination = internDestination(Use, User, Graph);
    Kept.Offset = Use.Offset.value_or(0);
    Kept.HasOffset = Use.Offset.has_value();
    if (Use.Steps && isUInt<32>(Use.Steps.Stride)) {
      Kept.Offset = Use.Steps.First;
      Kept.Stride = Use.Steps.Stride;
      Kept.IsByThread = Use.Steps.IsByThread;
    }
    Kept.Size = isUInt<32>(Use.Size) ? Use.Size : 0;
    Kept.Weight = Use.Weight;
    Kept.Instruction = Use.Instruction;
    Condition Precondition{Use.Except, Use.OnceFlag, Use.HeldLock,
                           Use.IsLocked};
    Kept.Condition =
        Precondition == Condition() ? 0 : Conditions.intern(Precondition);
    // Uses of one file are neighbours.
    if (Files[LastFile] != Use.File)
      LastFile = Files.intern(Use.File);
    Kept.File = LastFile;
    Kept.Line = Use.Line;
    Kept.StagesBefore = Use.StagesBefore.value_or(0);
    Kept.HasStages = Use.StagesBefore.has_value();
    Kept.Distance = Use.Distance;
    Kept.Kind = Use.Kind;
    Kept.SourceKind = Use.Source.Kind;
    Kept.Does = Use.Does;
    Kept.IsMay = Use.IsMay;
    Kept.IsLock = Use.IsLock;
    StoresThrough |= Use.Kind == PointerUse::StoredThrough;
  }
  Function.End = size();
}

void PointerTable::finish() {
  Places.dropIndex();
  std::vector<uint32_t>().swap(FunctionPlaces);
  Conditions.dropIndex();
  Records.dropIndex();
  Files.dropIndex();
}

} // namespace linesman::layout
