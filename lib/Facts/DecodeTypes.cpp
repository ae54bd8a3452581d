// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes to facts about types.

#include "Decoder.h"
#include <cmath>

using namespace llvm;
using namespace linesman;
using namespace linesman::facts;

Error Decoder::decodeTypeFacts(StringRef Payload) {
  Cursor C[format::AllTypeColumns];
  if (Error E = splitColumns(Payload, C))
    return E;
  Cursor &Heads = C[format::TypeHeads];
  PlaceReader Places;
  UnlockedSeen = 0;
  while (!Heads.atEnd()) {
    const char *Begin = Heads.position();
    uint64_t Function, Count;
    if (!Heads.readULEB(Function) || !Heads.readULEB(Count) || Function == 0 ||
        !isReference(Function) || Count > Heads.left())
      return error(Begin, "found no function and number of types that fit the "
                          "record");
    CurrentType.Function = resolve(Function);
    for (uint64_t I = 0; I != Count; ++I)
      if (Error E = decodeTypeFact(C, Places))
        return E;
  }
  Unlocked = {};
  return expectEnds(C);
}

/// What one function does to objects of one type.
Error Decoder::decodeTypeFact(MutableArrayRef<Cursor> C, PlaceReader &Places) {
  Cursor &Heads = C[format::TypeHeads];
  const char *Begin = Heads.position();
  uint64_t Type, Count;
  if (!Heads.readULEB(Type) || !Heads.readULEB(Count) ||
      Count > C[format::TypeFlags].left())
    return error(Begin, "found no type and number of accesses that fit the "
                        "record");
  if (Type >= Types.Count)
    return error(Begin, "type index " + Twine(Type) + ", expected less than " +
                            Twine(Types.Count));
  const char *Entry = Types.Data + Type * format::TypeEntrySize;
  RecordType &Record = CurrentType.Type;
  if (Error E = readString(Entry, Record.Name))
    return E;
  Record.Size = read32(Entry + 4);
  uint8_t Log = Entry[8];
  if (Log > 31)
    return error(Entry, "found a type with alignment 2^" +
                            Twine(unsigned(Log)) + ", expected at most 2^31");
  Record.Alignment = uint64_t(1) << Log;
  Record.Fingerprint = read16(Entry + 9);
  CurrentType.Unit = ContributionOffset;
  CurrentType.Accesses.clear();
  for (uint64_t I = 0; I != Count; ++I)
    if (Error E =
            decodeTypeAccess(C, Places, CurrentType.Accesses.emplace_back()))
      return E;
  if (CurrentType.Function == FunctionRef{FunctionRef::Address, 0})
    return Error::success();
  ++Counts.TypeFacts;
  VisitType(CurrentType);
  return Error::success();
}

Error Decoder::decodeTypeAccess(MutableArrayRef<Cursor> C, PlaceReader &Places,
                                TypeAccess &A) {
  const char *Begin = C[format::TypeFlags].position();
  auto Short = [&] {
    return error(Begin, "found an access beyond its record, or a line or a "
                        "stage beyond 32 bits");
  };
  uint8_t Flags = C[format::TypeFlags].readByte();
  uint8_t Kind = Flags & format::TypeKindMask;
  A.IsLock = Kind == format::LockKind;
  A.Kind = A.IsLock ? AccessKind::Atomic : static_cast<AccessKind>(Kind);
  A.IsSynchronised = Flags & format::IsSynchronised;
  A.IsElement = Flags & format::IsElement;
  A.IsIndexed = Flags & format::IsIndexed;
  uint8_t Weight = format::WeightOfOne;
  if (Flags & format::HasTypeWeight) {
    if (C[format::TypeWeights].atEnd())
      return Short();
    Weight = C[format::TypeWeights].readByte();
  }
  A.Weight =
      std::exp2(double(Weight - format::WeightOfOne) / format::WeightSteps);
  uint64_t Offset = 0, File = 0, Stages = 0;
  if (((Flags & format::HasTypeOffset) &&
       !C[format::TypeOffsets].readULEB(Offset)) ||
      !C[format::TypeSizes].readULEB(A.Size) ||
      !Places.read(C[format::TypePlaces], File, A.Line) ||
      ((Flags & format::HasStages) && !C[format::TypeHeads].readULEB(Stages)) ||
      Stages > UINT32_MAX)
    return Short();
  if (Flags & format::HasTypeOffset)
    A.Offset = Offset;
  if (Flags & format::HasStages)
    A.StagesBefore = static_cast<uint32_t>(Stages);
  if (!Unlocked.empty()) {
    if (UnlockedSeen / 8 >= Unlocked.size())
      return error(Unlocked.begin(), "found fewer bits of locks than accesses");
    A.IsUnlocked = Unlocked[UnlockedSeen / 8] >> UnlockedSeen % 8 & 1;
    ++UnlockedSeen;
  }
  return readFile(Begin, File, A.File);
}
