// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes to uses of pointers.

#include "Decoder.h"
#include "linesman/Facts/Discarded.h"
#include <cmath>

using namespace llvm;
using namespace linesman;
using namespace linesman::facts;

Error Decoder::decodePointers(StringRef Payload) {
  Cursor C[format::AllUseColumns];
  if (Error E = splitColumns(Payload, C))
    return E;
  Cursor &Heads = C[format::UseHeads];
  PlaceReader Places;
  while (!Heads.atEnd()) {
    const char *Begin = Heads.position();
    uint64_t Function, Head;
    if (!Heads.readULEB(Function) || !Heads.readULEB(Head) ||
        !isReference(Function) || Head / 2 > C[format::UseFlagBytes].left())
      return error(Begin, "found no function and number of uses of pointers "
                          "that fit the record");
    CurrentPointers.Function = resolve(Function);
    CurrentPointers.HasProfile = Head & 1;
    CurrentPointers.Uses.clear();
    for (uint64_t I = 0; I != Head / 2; ++I)
      if (Error E = decodeUse(C, Places, CurrentPointers.Uses.emplace_back()))
        return E;
    applyUseLocks(Function);
    applyUseFlags(Function);
    applyUseSteps(Function);
    if (CurrentPointers.Function == FunctionRef{FunctionRef::Address, 0})
      continue;
    ++Counts.PointerFacts;
    VisitPointers(CurrentPointers);
  }
  return expectEnds(C);
}

Error Decoder::decodeUseSteps(StringRef Payload) {
  Cursor C(Payload);
  auto ReadOne = [&](std::pair<uint64_t, ElementSteps> &Known) {
    uint64_t Stride;
    ElementSteps &Steps = Known.second;
    if (!C.readULEB(Known.first) || !C.readULEB(Stride) ||
        !C.readULEB(Steps.First))
      return false;
    Steps.Stride = Stride / 2;
    Steps.IsByThread = Stride & 1;
    return true;
  };
  while (!C.atEnd()) {
    const char *Begin = C.position();
    uint64_t Function, Count;
    bool Fits = C.readULEB(Function) && C.readULEB(Count) && Function != 0 &&
                isReference(Function) && Count <= C.left();
    for (uint64_t I = 0; Fits && I != Count; ++I)
      Fits = ReadOne(UseSteps[Function].emplace_back());
    if (!Fits)
      return error(Begin, "found elements of pointers beyond their record");
  }
  return Error::success();
}

/// Numbers that the record does not have are of no harm.
void Decoder::applyUseSteps(uint64_t Function) {
  auto It = UseSteps.find(Function);
  if (It == UseSteps.end())
    return;
  for (const auto &[Number, Steps] : It->second)
    if (Number < CurrentPointers.Uses.size() &&
        !CurrentPointers.Uses[Number].Offset)
      CurrentPointers.Uses[Number].Steps = Steps;
}

bool Decoder::readObjectAt(uint64_t Index, uint64_t &Address) const {
  if (Index >= Objects.Count)
    return false;
  Address = read64(Objects.Data + Index * format::ObjectEntrySize);
  if (isDiscarded(Address))
    Address = 0;
  return true;
}

bool Decoder::readObject(Cursor &C, uint64_t &Address) {
  uint64_t Index;
  return C.readULEB(Index) && readObjectAt(Index, Address);
}

bool Decoder::readFunction(Cursor &C, FunctionRef &Ref) const {
  uint64_t Reference;
  if (!C.readULEB(Reference) || !isReference(Reference))
    return false;
  Ref = resolve(Reference);
  return true;
}

bool Decoder::readRecord(uint64_t Index, StringRef &Name) {
  if (Index >= Types.Count)
    return false;
  if (Error E = readString(Types.Data + Index * format::TypeEntrySize, Name)) {
    consumeError(std::move(E));
    return false;
  }
  return true;
}

/// One more than the offset; 0 is an offset that is not constant.
static bool readOptional(Cursor &C, std::optional<uint64_t> &Offset) {
  uint64_t Value;
  if (!C.readULEB(Value))
    return false;
  Offset = Value ? std::optional<uint64_t>(Value - 1) : std::nullopt;
  return true;
}

bool Decoder::decodeOrigin(Cursor &C, Origin &Source) {
  uint64_t Number = 0;
  switch (Source.Kind) {
  case Origin::Object:
    return readObject(C, Source.Value);
  case Origin::Parameter:
    return C.readULEB(Source.Value) && Source.Value <= UINT32_MAX;
  case Origin::Result:
    return readFunction(C, Source.Function);
  case Origin::Field:
    if (!C.readULEB(Number) || !readRecord(Number, Source.Record) ||
        !C.readULEB(Number))
      return false;
    Source.Offset = Number;
    return true;
  case Origin::Variable:
    return readObject(C, Source.Value) && readOptional(C, Source.Offset);
  case Origin::Unknown:
    return true;
  case Origin::Loaded:
    break;
  }
  return false;
}

bool Decoder::decodeUsedAs(Cursor &C, PointerUse &Use) {
  uint64_t Number = 0;
  switch (Use.Kind) {
  case PointerUse::Access:
    return C.readULEB(Use.Size);
  case PointerUse::Handed:
    if (!readFunction(C, Use.Callee) || !C.readULEB(Number) ||
        Number > UINT32_MAX)
      return false;
    Use.Parameter = static_cast<uint32_t>(Number);
    return true;
  case PointerUse::Returned:
    return true;
  case PointerUse::Stored:
    if (!C.readULEB(Number))
      return false;
    if (Number & 1) {
      Use.Destination.Kind = Origin::Variable;
      return readObjectAt(Number / 2, Use.Destination.Value) &&
             readOptional(C, Use.Destination.Offset);
    }
    Use.Destination.Kind = Origin::Field;
    if (!readRecord(Number / 2, Use.Destination.Record) || !C.readULEB(Number))
      return false;
    Use.Destination.Offset = Number;
    return true;
  case PointerUse::StoredThrough:
  case PointerUse::LoadedThrough:
    break;
  }
  return false;
}

Error Decoder::decodeUse(MutableArrayRef<Cursor> C, PlaceReader &Places,
                         PointerUse &Use) {
  Cursor &FlagBytes = C[format::UseFlagBytes], &Heads = C[format::UseHeads];
  const char *Begin = FlagBytes.position();
  auto Bad = [&] {
    return error(Begin, "found a use of a pointer that does not fit its record "
                        "or its tables");
  };
  if (FlagBytes.left() < 2)
    return Bad();
  uint8_t Flags = FlagBytes.readByte(), More = FlagBytes.readByte();
  uint8_t Kind = (Flags & format::OriginMask) >> format::OriginShift;
  uint8_t Does = More & format::UseAccessMask;
  if (Kind > Origin::Unknown || More & ~format::AllMoreUseFlags)
    return Bad();
  Use.Kind = static_cast<PointerUse::UseKind>(Flags & format::UseKindMask);
  Use.Source.Kind = static_cast<Origin::OriginKind>(Kind);
  Use.IsLock = Does == format::LockKind;
  Use.Does = Use.IsLock ? AccessKind::Atomic : static_cast<AccessKind>(Does);
  Use.IsMay = More & format::IsMayUse;
  if (!decodeOrigin(C[format::UseOrigins], Use.Source))
    return Bad();
  if (Flags & format::AnyUseOffset)
    Use.Offset = std::nullopt;
  else if (Flags & format::HasUseOffset &&
           !C[format::UseOffsets].readSLEB(*Use.Offset))
    return Bad();
  if (Flags & format::HasUseWeight) {
    Cursor &Weights = C[format::UseWeights];
    if (Weights.atEnd())
      return Bad();
    Use.Weight = std::exp2(double(Weights.readByte() - format::WeightOfOne) /
                           format::WeightSteps);
  }
  if (!decodeUsedAs(C[format::UseTargets], Use))
    return Bad();
  uint64_t File = 0, Stages = 0, Offset = 0;
  if (More & format::HasException) {
    if (!readObject(Heads, Use.Except) || !Heads.readULEB(Offset))
      return Bad();
    Use.Except += Use.Except ? Offset : 0;
  }
  if (More & format::HasUseSource &&
      !Places.read(C[format::UsePlaces], File, Use.Line))
    return Bad();
  if (More & format::HasUseStages &&
      (!Heads.readULEB(Stages) || Stages > UINT32_MAX))
    return Bad();
  if (More & format::HasUseStages)
    Use.StagesBefore = static_cast<uint32_t>(Stages);
  return readFile(Begin, File, Use.File);
}
