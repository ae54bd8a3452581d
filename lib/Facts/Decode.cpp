// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes to facts. One Fact is reused for all visits and the tables stay where
// they are in the section, so that a large binary's facts are read at the speed
// of its memory; every read is checked against the end of its record.

#include "Decoder.h"
#include "linesman/Facts/Discarded.h"
#include <cmath>
#include <cstring>
#include <utility>

using namespace llvm;
using namespace linesman;
using namespace linesman::facts;

Expected<DecodeCounts> Decoder::decode() {
  for (StringRef Rest = Section; !Rest.empty();) {
    if (Rest.size() < format::HeaderSize)
      return error(Rest.begin(), Twine(Rest.size()) +
                                     " bytes left, expected a contribution's "
                                     "header of " +
                                     Twine(format::HeaderSize));
    uint32_t Found = read32(Rest.data());
    if (Found != format::Magic)
      return error(Rest.begin(), "found magic 0x" + Twine::utohexstr(Found) +
                                     ", expected 0x" +
                                     Twine::utohexstr(format::Magic));
    uint16_t Version = read16(Rest.data() + 4);
    if (Version != FormatVersion)
      return error(Rest.begin() + 4,
                   "found version " + Twine(Version) + ", expected " +
                       Twine(FormatVersion) +
                       ": its unit was compiled with the plugin of another "
                       "release; compile it again");
    uint32_t Size = read32(Rest.data() + 8);
    if (Size < format::HeaderSize || Size > Rest.size())
      return error(Rest.begin() + 8, "found a contribution of " + Twine(Size) +
                                         " bytes, expected " +
                                         Twine(format::HeaderSize) + " to " +
                                         Twine(Rest.size()));
    ContributionOffset = Rest.begin() - Section.begin();
    if (Error E = decodeContribution(
            Rest.take_front(Size).drop_front(format::HeaderSize)))
      return std::move(E);
    if (Size == format::HeaderSize) {
      ++Counts.EmptyContributions;
    } else {
      ++Counts.Contributions;
      Counts.LittleOptimised +=
          (read16(Rest.data() + 6) & format::IsLittleOptimised) != 0;
    }
    Rest = Rest.drop_front(Size);
  }
  return Counts;
}

Error Decoder::decodeContribution(StringRef Bytes) {
  Files = Functions = Objects = Names = Locals = Types = Table();
  CurrentFunction.reset();
  LastFile = 0;
  Extras.reset();
  Unlocked = {};
  Declared.reset();
  Locks.clear();
  UseLocks.clear();
  CallFlags.clear();
  UseFlags.clear();
  UseSteps.clear();
  ExpandedBefore += Expanded.size();
  Expanded.clear();
  ExpandedFrom = nullptr;
  if (Error E = decodeRecords(Bytes))
    return E;
  visitTakers();
  return Error::success();
}

Error Decoder::decodeRecords(StringRef Bytes) {
  while (!Bytes.empty()) {
    if (Bytes.size() < format::RecordHeaderSize)
      return error(Bytes.begin(), Twine(Bytes.size()) +
                                      " bytes left in the contribution, "
                                      "expected a record's header of " +
                                      Twine(format::RecordHeaderSize));
    uint16_t Kind = read16(Bytes.data());
    uint32_t Size = read32(Bytes.data() + 2);
    Bytes = Bytes.drop_front(format::RecordHeaderSize);
    if (Size > Bytes.size())
      return error(Bytes.begin() - 4, "found a record of " + Twine(Size) +
                                          " bytes, expected at most " +
                                          Twine(Bytes.size()));
    if (Error E = decodeRecord(static_cast<format::RecordKind>(Kind),
                               Bytes.take_front(Size)))
      return E;
    Bytes = Bytes.drop_front(Size);
  }
  return Error::success();
}

Error Decoder::decodeRecord(format::RecordKind Kind, StringRef Payload) {
  if (VisitName && Kind != format::RecordKind::Names)
    return Error::success();
  switch (Kind) {
  case format::RecordKind::Access:
    return decodeFact(Payload);
  case format::RecordKind::Files:
    return setTable(Files, Payload, format::FileEntrySize, "file");
  case format::RecordKind::Functions:
    return setTable(Functions, Payload, format::FunctionEntrySize, "function");
  case format::RecordKind::Objects:
    return setTable(Objects, Payload, format::ObjectEntrySize, "object");
  case format::RecordKind::Names:
    return decodeNames(Payload);
  case format::RecordKind::LocalFunctions:
    return setTable(Locals, Payload, format::LocalFunctionEntrySize,
                    "local function");
  case format::RecordKind::Calls:
    return decodeCalls(Payload);
  case format::RecordKind::Types:
    return setTable(Types, Payload, format::TypeEntrySize, "type");
  case format::RecordKind::TypeAccess:
    // They are many, and most readers want none.
    return VisitType ? decodeTypeFacts(Payload) : Error::success();
  case format::RecordKind::Pointers:
    return VisitPointers ? decodePointers(Payload) : Error::success();
  case format::RecordKind::Order:
    extras().Order = Payload;
    return Error::success();
  case format::RecordKind::Strides:
    extras().Strides = Payload;
    return Error::success();
  case format::RecordKind::HeldLocks:
    extras().HeldLocks = Payload;
    return Error::success();
  case format::RecordKind::CallLocks:
    return decodeCallLocks(Payload);
  case format::RecordKind::OnceFlags:
    extras().OnceFlags = Payload;
    return Error::success();
  case format::RecordKind::StoredConstants:
    extras().Constants = Payload;
    return Error::success();
  case format::RecordKind::Unlocked:
    Unlocked = Payload;
    return Error::success();
  case format::RecordKind::CallFlags:
    return decodeCallFlags(Payload);
  case format::RecordKind::UseSteps:
    return decodeUseSteps(Payload);
  case format::RecordKind::Compressed:
    return decodeCompressed(Payload);
  case format::RecordKind::DeclaredTypes:
    Declared = Payload;
    return Error::success();
  }
  ++Counts.UnknownRecords;
  return Error::success();
}

Error Decoder::setTable(Table &T, StringRef Payload, uint32_t EntrySize,
                        StringRef Kind) {
  if (T.Data)
    return error(Payload.begin(),
                 "second " + Kind + " table in one contribution");
  if (Payload.size() % EntrySize != 0)
    return error(Payload.begin(), Kind + " table has " + Twine(Payload.size()) +
                                      " bytes, expected a multiple of " +
                                      Twine(EntrySize));
  T = {Payload.data(), Payload.size() / EntrySize};
  return Error::success();
}

Error Decoder::decodeNames(StringRef Payload) {
  if (Error E = setTable(Names, Payload, format::NameEntrySize, "name"))
    return E;
  for (uint64_t I = 0; VisitName && I != Names.Count; ++I)
    VisitName(read64(Names.Data + I * format::NameEntrySize));
  return Error::success();
}

Error Decoder::decodeFact(StringRef Payload) {
  const std::optional<AccessExtras> Said = std::exchange(Extras, std::nullopt);
  Cursor C(Payload);
  uint64_t Function, Object;
  if (!C.readULEB(Function) || !C.readULEB(Object))
    return error(Payload.begin(), "found no function and object index");
  if (Function >= Functions.Count)
    return error(Payload.begin(), "function index " + Twine(Function) +
                                      ", expected less than " +
                                      Twine(Functions.Count));
  if (Object >= Objects.Count)
    return error(Payload.begin(), "object index " + Twine(Object) +
                                      ", expected less than " +
                                      Twine(Objects.Count));

  if (CurrentFunction != Function)
    if (Error E = enterFunction(Function))
      return E;
  if (Current.Function == 0 || isDiscarded(Current.Function)) {
    ++Counts.DeadFunctions;
    return Error::success();
  }
  const char *ObjectEntry = Objects.Data + Object * format::ObjectEntrySize;
  Current.Object = read64(ObjectEntry);
  Current.DeclLine = read32(ObjectEntry + 16);
  if (Error E = checkString(ObjectEntry + 8))
    return E;
  if (Error E = readFile(ObjectEntry + 12, read32(ObjectEntry + 12),
                         Current.DeclFile))
    return E;

  Current.Accesses.clear();
  while (!C.atEnd())
    if (Error E = decodeAccess(C, Current.Accesses.emplace_back()))
      return E;
  if (Said)
    if (Error E = applyExtras(*Said))
      return E;

  ++Counts.Facts;
  if (Current.Object == 0)
    ++Counts.ForeignObjects;
  Visit(Current);
  return Error::success();
}

Error Decoder::applyExtras(const AccessExtras &Said) {
  if (Said.Order)
    if (Error E = applyOrder(*Said.Order))
      return E;
  if (Said.Strides)
    if (Error E = applyStrides(*Said.Strides))
      return E;
  if (Said.HeldLocks)
    if (Error E = applyHeldLocks(*Said.HeldLocks))
      return E;
  if (Said.OnceFlags)
    if (Error E = applyOnceFlags(*Said.OnceFlags))
      return E;
  return Said.Constants ? applyConstants(*Said.Constants) : Error::success();
}

Error Decoder::enterFunction(uint64_t Index) {
  const char *Entry = Functions.Data + Index * format::FunctionEntrySize;
  Current.Function = read64(Entry);
  uint8_t Flags = Entry[12];
  Current.IsInitializer = Flags & format::IsInitializer;
  Current.HasProfile = Flags & format::HasProfile;
  if (Current.Function != 0 && !isDiscarded(Current.Function))
    if (Error E = readString(Entry + 8, Current.FunctionName))
      return E;
  CurrentFunction = Index;
  return Error::success();
}

Error Decoder::decodeAccess(Cursor &C, Access &A) {
  const char *Begin = C.position();
  if (C.left() < format::MinAccessSize)
    return error(Begin, Twine(C.left()) +
                            " bytes left in the record, expected an access of "
                            "at least " +
                            Twine(format::MinAccessSize));
  uint8_t Flags = C.readByte();
  uint8_t Kind = Flags & format::KindMask;
  if (Kind > static_cast<uint8_t>(AccessKind::Atomic) ||
      Flags & ~(format::KindMask | format::HasOffset))
    return error(Begin, "found access flags 0x" + Twine::utohexstr(Flags) +
                            ", expected a kind up to 2 and bit 2");
  A.Kind = static_cast<AccessKind>(Kind);
  if (Error E = readWeight(Begin + 1, C, A.Weight))
    return E;
  uint64_t Offset = 0, File = 0, Line = 0;
  if (((Flags & format::HasOffset) && !C.readULEB(Offset)) ||
      !C.readULEB(A.Size) || !C.readULEB(File) || !C.readULEB(Line))
    return error(Begin, "found an access beyond its record or a number beyond "
                        "64 bits");
  if (Flags & format::HasOffset)
    A.Offset = Offset;
  if (Line > UINT32_MAX)
    return error(Begin, "found line " + Twine(Line) + ", expected 32 bits");
  A.Line = static_cast<uint32_t>(Line);
  return readFile(Begin, File, A.File);
}

Error Decoder::readWeight(const char *Place, Cursor &C, double &Weight) const {
  Weight = C.readFloat();
  // A NaN would poison every sum and sort that it gets into, and infinity
  // makes one.
  if (!(Weight >= 0) || std::isinf(Weight))
    return error(Place, "found a weight that is negative, infinite or not a "
                        "number");
  return Error::success();
}

Error Decoder::applyEach(StringRef Payload, const char *Noun,
                         const char *OrElse,
                         function_ref<bool(Cursor &, Access &)> Read) {
  Cursor C(Payload);
  for (Access &A : Current.Accesses)
    if (!Read(C, A))
      return error(Payload.begin(), Twine("found ") + Noun + " of fewer than " +
                                        Twine(Current.Accesses.size()) +
                                        " accesses" + OrElse);
  if (!C.atEnd())
    return error(C.position(), Twine("found ") + Noun + " of more than " +
                                   Twine(Current.Accesses.size()) +
                                   " accesses");
  return Error::success();
}

Error Decoder::applyOrder(StringRef Positions) {
  return applyEach(Positions, "an order", " or a number beyond 32 bits",
                   [](Cursor &C, Access &A) {
                     uint64_t Stages;
                     if (!C.readULEB(Stages) || Stages > UINT32_MAX)
                       return false;
                     A.StagesBefore = static_cast<uint32_t>(Stages);
                     return true;
                   });
}

Error Decoder::applyStrides(StringRef Strides) {
  return applyEach(Strides, "strides", "", [](Cursor &C, Access &A) {
    uint64_t Stride, First = 0;
    if (!C.readULEB(Stride) || (Stride && !C.readULEB(First)))
      return false;
    A.Stride = Stride / 2;
    A.IsByThread = Stride & 1;
    A.First = First;
    return true;
  });
}

Error Decoder::readFile(const char *Place, uint64_t FileNumber,
                        StringRef &Result) {
  Result = StringRef();
  if (FileNumber == 0)
    return Error::success();
  if (FileNumber > Files.Count)
    return error(Place, "file number " + Twine(FileNumber) +
                            ", expected at most " + Twine(Files.Count));
  if (FileNumber != LastFile) {
    if (Error E =
            readString(Files.Data + (FileNumber - 1) * format::FileEntrySize,
                       LastFileName))
      return E;
    LastFile = FileNumber;
  }
  Result = LastFileName;
  return Error::success();
}

Error Decoder::checkString(const char *Place) const {
  uint32_t Offset = read32(Place);
  if (Offset >= Strings.size())
    return error(Place, "string offset 0x" + Twine::utohexstr(Offset) +
                            ", expected less than 0x" +
                            Twine::utohexstr(Strings.size()));
  // Where the section ends in a zero, every string has an end.
  if (Strings.back() != 0 && Strings.find('\0', Offset) == StringRef::npos)
    return error(Place, "string at 0x" + Twine::utohexstr(Offset) +
                            " has no end in the string section");
  return Error::success();
}

Error Decoder::readString(const char *Place, StringRef &Result) const {
  if (Error E = checkString(Place))
    return E;
  Result = StringRef(Strings.data() + read32(Place));
  return Error::success();
}

Expected<DecodeCounts>
facts::decodeFacts(StringRef Section, StringRef Strings,
                   function_ref<void(const Fact &)> Visit,
                   function_ref<void(const Calls &)> VisitCalls,
                   function_ref<void(const TypeFact &)> VisitType,
                   function_ref<void(const PointerFacts &)> VisitPointers) {
  return Decoder(Section, Strings, Visit, VisitCalls, VisitType, VisitPointers)
      .decode();
}

Error facts::visitNames(StringRef Section, function_ref<void(uint64_t)> Visit) {
  return Decoder(Section, Visit).decode().takeError();
}
