// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes to facts. One Fact is reused for all visits and the tables stay where
// they are in the section, so that a large binary's facts are read at the speed
// of its memory; every read is checked against the end of its record.

#include "linesman/Facts/Discarded.h"
#include "linesman/Facts/Facts.h"
#include "linesman/Facts/Format.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include <cmath>
#include <cstring>
#include <utility>

using namespace llvm;
using namespace linesman;
using namespace linesman::facts;

namespace {

uint16_t read16(const char *P) { return support::endian::read16le(P); }
uint32_t read32(const char *P) { return support::endian::read32le(P); }
uint64_t read64(const char *P) { return support::endian::read64le(P); }

/// A table record's payload: Count entries, in place.
struct Table {
  const char *Data = nullptr;
  uint64_t Count = 0;
};

/// Reads the payload of an access record.
class Cursor {
public:
  explicit Cursor(StringRef Bytes) : P(Bytes.begin()), End(Bytes.end()) {}

  bool atEnd() const { return P == End; }
  const char *position() const { return P; }
  uint64_t left() const { return End - P; }

  /// False at the end of the record, and for values beyond 64 bits.
  bool readULEB(uint64_t &Value) {
    Value = 0;
    for (unsigned Shift = 0; P != End; Shift += 7) {
      uint8_t Byte = *P++;
      uint64_t Slice = Byte & 0x7f;
      if (Shift >= 64 || (Slice << Shift) >> Shift != Slice)
        return false;
      Value |= Slice << Shift;
      if (!(Byte & 0x80))
        return true;
    }
    return false;
  }

  uint8_t readByte() { return *P++; }
  float readFloat() {
    float Value = bit_cast<float>(read32(P));
    P += 4;
    return Value;
  }

private:
  const char *P;
  const char *End;
};

class Decoder {
public:
  Decoder(StringRef Section, StringRef Strings,
          function_ref<void(const Fact &)> Visit,
          function_ref<void(const Calls &)> VisitCalls,
          function_ref<void(const TypeFact &)> VisitType)
      : Section(Section), Strings(Strings), Visit(Visit),
        VisitCalls(VisitCalls), VisitType(VisitType) {}

  /// Only the tables of names are read.
  Decoder(StringRef Section, function_ref<void(uint64_t)> VisitName)
      : Section(Section), VisitName(VisitName) {}

  Expected<DecodeCounts> decode();

private:
  Error decodeContribution(StringRef Bytes);
  Error decodeRecord(format::RecordKind Kind, StringRef Payload);
  Error setTable(Table &T, StringRef Payload, uint32_t EntrySize,
                 StringRef What);
  Error decodeNames(StringRef Payload);
  Error decodeFact(StringRef Payload);
  Error decodeAccess(Cursor &C, Access &A);
  Error applyOrder(StringRef Positions);
  Error decodeCalls(StringRef Payload);
  Error decodeEdge(Cursor &C, CallEdge &Edge, uint32_t &Stage, bool IsFirst);
  Error decodeTypeFacts(StringRef Payload);
  Error decodeTypeFact(Cursor &C);
  Error decodeTypeAccess(Cursor &C, TypeAccess &A);
  Error readWeight(const char *Place, Cursor &C, double &Weight) const;
  FunctionRef resolve(uint64_t Reference) const;
  Error readString(const char *Place, StringRef &Result);
  Error readFile(const char *Place, uint64_t FileNumber, StringRef &Result);

  /// \p Place is where in the section the trouble is.
  Error error(const char *Place, const Twine &Message) const {
    return createStringError("facts section at offset 0x" +
                             Twine::utohexstr(Place - Section.begin()) + ": " +
                             Message);
  }

  StringRef Section;
  StringRef Strings;
  function_ref<void(const Fact &)> Visit;
  function_ref<void(const Calls &)> VisitCalls;
  function_ref<void(const TypeFact &)> VisitType;
  function_ref<void(uint64_t)> VisitName;
  Table Files, Functions, Objects, Names, Locals, Types;
  /// The order of the accesses in the next record.
  std::optional<StringRef> Order;
  Fact Current;
  Calls CurrentCalls;
  TypeFact CurrentType;
  uint64_t ContributionOffset = 0;
  DecodeCounts Counts;
};

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
      return error(Rest.begin() + 4, "found version " + Twine(Version) +
                                         ", expected " + Twine(FormatVersion));
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
    ++Counts.Contributions;
    Rest = Rest.drop_front(Size);
  }
  return Counts;
}

Error Decoder::decodeContribution(StringRef Bytes) {
  Files = Functions = Objects = Names = Locals = Types = Table();
  Order.reset();
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
  case format::RecordKind::Order:
    Order = Payload;
    return Error::success();
  }
  ++Counts.UnknownRecords;
  return Error::success();
}

Error Decoder::setTable(Table &T, StringRef Payload, uint32_t EntrySize,
                        StringRef What) {
  if (T.Data)
    return error(Payload.begin(),
                 "second " + What + " table in one contribution");
  if (Payload.size() % EntrySize != 0)
    return error(Payload.begin(), What + " table has " + Twine(Payload.size()) +
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
  std::optional<StringRef> Positions = std::exchange(Order, std::nullopt);
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

  const char *FunctionEntry =
      Functions.Data + Function * format::FunctionEntrySize;
  Current.Function = read64(FunctionEntry);
  if (Current.Function == 0 || isDiscarded(Current.Function)) {
    ++Counts.DeadFunctions;
    return Error::success();
  }
  uint8_t Flags = FunctionEntry[12];
  Current.IsInitializer = Flags & format::IsInitializer;
  Current.HasProfile = Flags & format::HasProfile;
  if (Error E = readString(FunctionEntry + 8, Current.FunctionName))
    return E;

  const char *ObjectEntry = Objects.Data + Object * format::ObjectEntrySize;
  Current.Object = read64(ObjectEntry);
  Current.DeclLine = read32(ObjectEntry + 16);
  if (Error E = readString(ObjectEntry + 8, Current.ObjectName))
    return E;
  if (Error E = readFile(ObjectEntry + 12, read32(ObjectEntry + 12),
                         Current.DeclFile))
    return E;

  Current.Accesses.clear();
  while (!C.atEnd())
    if (Error E = decodeAccess(C, Current.Accesses.emplace_back()))
      return E;
  if (Positions)
    if (Error E = applyOrder(*Positions))
      return E;

  ++Counts.Facts;
  if (Current.Object == 0)
    ++Counts.ForeignObjects;
  Visit(Current);
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

Error Decoder::applyOrder(StringRef Positions) {
  Cursor C(Positions);
  for (Access &A : Current.Accesses) {
    uint64_t Stages;
    if (!C.readULEB(Stages) || Stages > UINT32_MAX)
      return error(Positions.begin(),
                   "found an order of fewer than " +
                       Twine(Current.Accesses.size()) +
                       " accesses or a number beyond 32 bits");
    A.StagesBefore = static_cast<uint32_t>(Stages);
  }
  if (!C.atEnd())
    return error(C.position(), "found an order of more than " +
                                   Twine(Current.Accesses.size()) +
                                   " accesses");
  return Error::success();
}

FunctionRef Decoder::resolve(uint64_t Reference) const {
  if (Reference == 0)
    return {};
  uint64_t Index = Reference - 1;
  if (Index < Locals.Count) {
    uint64_t Address =
        read64(Locals.Data + Index * format::LocalFunctionEntrySize);
    return {FunctionRef::Address, isDiscarded(Address) ? 0 : Address};
  }
  Index -= Locals.Count;
  if (Index < Names.Count) {
    uint64_t Hash = read64(Names.Data + Index * format::NameEntrySize);
    // No name's: damaged.
    if (isDiscarded(Hash))
      return {FunctionRef::Address, 0};
    return {FunctionRef::Name, Hash};
  }
  // A contribution has more bytes than tables, so no two values are equal.
  return {FunctionRef::Table, ContributionOffset + (Index - Names.Count)};
}

Error Decoder::decodeCalls(StringRef Payload) {
  Cursor C(Payload);
  while (!C.atEnd()) {
    const char *Begin = C.position();
    uint64_t Caller, Count;
    if (!C.readULEB(Caller) || !C.readULEB(Count))
      return error(Begin, "found no caller and number of edges");
    if (Caller == 0 || Caller > Section.size() || Count > C.left())
      return error(Begin, "found caller " + Twine(Caller) + " with " +
                              Twine(Count) + " edges, expected at most " +
                              Twine(C.left()));
    CurrentCalls.Caller = resolve(Caller);
    CurrentCalls.Edges.clear();
    uint32_t Stage = 0;
    for (uint64_t I = 0; I != Count; ++I)
      if (Error E =
              decodeEdge(C, CurrentCalls.Edges.emplace_back(), Stage, I == 0))
        return E;
    if (CurrentCalls.Caller == FunctionRef{FunctionRef::Address, 0})
      continue;
    ++Counts.Callers;
    if (VisitCalls)
      VisitCalls(CurrentCalls);
  }
  return Error::success();
}

Error Decoder::decodeEdge(Cursor &C, CallEdge &Edge, uint32_t &Stage,
                          bool IsFirst) {
  const char *Begin = C.position();
  if (C.atEnd())
    return error(Begin, "found an edge beyond its record");
  uint8_t Flags = C.readByte();
  if (Flags & ~format::AllCallFlags)
    return error(Begin, "found flags of a call 0x" + Twine::utohexstr(Flags) +
                            ", expected at most 0x" +
                            Twine::utohexstr(format::AllCallFlags));
  Edge.Kind = static_cast<CallKind>(Flags & format::CallKindMask);
  Edge.InLoop = Flags & format::InLoop;
  if (!IsFirst && !(Flags & format::SameStage))
    ++Stage;
  Edge.Stage = Stage;
  uint64_t Fixed = (Flags & format::HasWeight ? 4 : 0) +
                   (Flags & format::HasSignature ? 1 : 0);
  if (C.left() < Fixed)
    return error(Begin, "found an edge beyond its record");
  if (Flags & format::HasWeight)
    if (Error E = readWeight(Begin + 1, C, Edge.Weight))
      return E;
  if (Flags & format::HasSignature)
    Edge.Signature = C.readByte();
  uint64_t Callee;
  if (!C.readULEB(Callee))
    return error(Begin, "found an edge beyond its record");
  if (Callee > Section.size())
    return error(Begin, "found callee " + Twine(Callee) +
                            ", more than the section has bytes");
  Edge.Callee = resolve(Callee);
  return Error::success();
}

Error Decoder::decodeTypeFacts(StringRef Payload) {
  Cursor C(Payload);
  while (!C.atEnd()) {
    const char *Begin = C.position();
    uint64_t Function, Count;
    if (!C.readULEB(Function) || !C.readULEB(Count) || Function == 0 ||
        Function > Section.size() || Count > C.left())
      return error(Begin, "found no function and number of types that fit the "
                          "record");
    CurrentType.Function = resolve(Function);
    for (uint64_t I = 0; I != Count; ++I)
      if (Error E = decodeTypeFact(C))
        return E;
  }
  return Error::success();
}

/// What one function does to objects of one type.
Error Decoder::decodeTypeFact(Cursor &C) {
  const char *Begin = C.position();
  uint64_t Type, Count;
  if (!C.readULEB(Type) || !C.readULEB(Count) || Count > C.left())
    return error(Begin, "found no type and number of accesses that fit the "
                        "record");
  if (Type >= Types.Count)
    return error(Begin, "type index " + Twine(Type) + ", expected less than " +
                            Twine(Types.Count));
  const char *Entry = Types.Data + Type * format::TypeEntrySize;
  RecordType &Of = CurrentType.Type;
  if (Error E = readString(Entry, Of.Name))
    return E;
  Of.Size = read32(Entry + 4);
  uint8_t Log = Entry[8];
  if (Log > 31)
    return error(Entry, "found a type with alignment 2^" +
                            Twine(unsigned(Log)) + ", expected at most 2^31");
  Of.Alignment = uint64_t(1) << Log;
  Of.Fingerprint = read16(Entry + 9);
  CurrentType.Unit = ContributionOffset;
  CurrentType.Accesses.clear();
  for (uint64_t I = 0; I != Count; ++I)
    if (Error E = decodeTypeAccess(C, CurrentType.Accesses.emplace_back()))
      return E;
  if (CurrentType.Function == FunctionRef{FunctionRef::Address, 0})
    return Error::success();
  ++Counts.TypeFacts;
  VisitType(CurrentType);
  return Error::success();
}

Error Decoder::decodeTypeAccess(Cursor &C, TypeAccess &A) {
  const char *Begin = C.position();
  auto Short = [&] {
    return error(Begin, "found an access beyond its record");
  };
  if (C.atEnd())
    return Short();
  uint8_t Flags = C.readByte();
  uint8_t Kind = Flags & format::TypeKindMask;
  A.IsLock = Kind == format::LockKind;
  A.Kind = A.IsLock ? AccessKind::Atomic : static_cast<AccessKind>(Kind);
  A.IsSynchronised = Flags & format::IsSynchronised;
  A.IsElement = Flags & format::IsElement;
  A.IsIndexed = Flags & format::IsIndexed;
  uint8_t Weight = format::WeightOfOne;
  if (Flags & format::HasTypeWeight) {
    if (C.atEnd())
      return Short();
    Weight = C.readByte();
  }
  A.Weight =
      std::exp2(double(Weight - format::WeightOfOne) / format::WeightSteps);
  uint64_t Offset = 0, File = 0, Line = 0, Stages = 0;
  if (((Flags & format::HasTypeOffset) && !C.readULEB(Offset)) ||
      !C.readULEB(A.Size) || !C.readULEB(File) || (File && !C.readULEB(Line)) ||
      ((Flags & format::HasStages) && !C.readULEB(Stages)))
    return Short();
  if (Line > UINT32_MAX || Stages > UINT32_MAX)
    return error(Begin, "found a line or a stage beyond 32 bits");
  if (Flags & format::HasTypeOffset)
    A.Offset = Offset;
  if (Flags & format::HasStages)
    A.StagesBefore = static_cast<uint32_t>(Stages);
  A.Line = static_cast<uint32_t>(Line);
  return readFile(Begin, File, A.File);
}

Error Decoder::readFile(const char *Place, uint64_t FileNumber,
                        StringRef &Result) {
  Result = StringRef();
  if (FileNumber == 0)
    return Error::success();
  if (FileNumber > Files.Count)
    return error(Place, "file number " + Twine(FileNumber) +
                            ", expected at most " + Twine(Files.Count));
  return readString(Files.Data + (FileNumber - 1) * format::FileEntrySize,
                    Result);
}

Error Decoder::readString(const char *Place, StringRef &Result) {
  uint32_t Offset = read32(Place);
  if (Offset >= Strings.size())
    return error(Place, "string offset 0x" + Twine::utohexstr(Offset) +
                            ", expected less than 0x" +
                            Twine::utohexstr(Strings.size()));
  const char *Begin = Strings.data() + Offset;
  const void *Null = std::memchr(Begin, 0, Strings.size() - Offset);
  if (!Null)
    return error(Place, "string at 0x" + Twine::utohexstr(Offset) +
                            " has no end in the string section");
  Result = StringRef(Begin, static_cast<const char *>(Null) - Begin);
  return Error::success();
}

} // namespace

Expected<DecodeCounts>
facts::decodeFacts(StringRef Section, StringRef Strings,
                   function_ref<void(const Fact &)> Visit,
                   function_ref<void(const Calls &)> VisitCalls,
                   function_ref<void(const TypeFact &)> VisitType) {
  return Decoder(Section, Strings, Visit, VisitCalls, VisitType).decode();
}

Error facts::visitNames(StringRef Section, function_ref<void(uint64_t)> Visit) {
  return Decoder(Section, Visit).decode().takeError();
}
