// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the facts section, one contribution after the other: Decode.cpp its
// records and the facts about variables, DecodeCalls.cpp those about calls,
// DecodeTypes.cpp those about types, DecodePointers.cpp uses of pointers,
// DecodeLocks.cpp the locks of accesses and calls. Unpack.cpp has what makes
// the bytes fewer: compression and columns.

#ifndef LINESMAN_LIB_FACTS_DECODER_H
#define LINESMAN_LIB_FACTS_DECODER_H

#include "linesman/Facts/Facts.h"
#include "linesman/Facts/Format.h"
#include "linesman/Facts/Pointers.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include <map>

namespace linesman::facts {

inline uint16_t read16(const char *P) {
  return llvm::support::endian::read16le(P);
}
inline uint32_t read32(const char *P) {
  return llvm::support::endian::read32le(P);
}
inline uint64_t read64(const char *P) {
  return llvm::support::endian::read64le(P);
}

/// A table record's payload: Count entries, in place.
struct Table {
  const char *Data = nullptr;
  uint64_t Count = 0;
};

/// Reads the payload of an access record.
class Cursor {
public:
  explicit Cursor(llvm::StringRef Bytes = {})
      : P(Bytes.begin()), End(Bytes.end()) {}

  bool atEnd() const { return P == End; }
  const char *position() const { return P; }
  uint64_t left() const { return End - P; }

  /// False at the end of the record.
  bool readSLEB(int64_t &Value) {
    uint64_t Bits = 0;
    for (unsigned Shift = 0; P != End && Shift < 64;) {
      uint8_t Byte = *P++;
      Bits |= uint64_t(Byte & 0x7f) << Shift;
      Shift += 7;
      if (Byte & 0x80)
        continue;
      if (Shift < 64 && (Byte & 0x40))
        Bits |= ~uint64_t(0) << Shift;
      Value = static_cast<int64_t>(Bits);
      return true;
    }
    return false;
  }

  /// False also for values beyond 64 bits. Most have one byte.
  bool readULEB(uint64_t &Value) {
    if (LLVM_LIKELY(P != End && uint8_t(*P) < 0x80)) {
      Value = uint8_t(*P++);
      return true;
    }
    return readLongULEB(Value);
  }

  uint8_t readByte() { return *P++; }
  float readFloat() {
    float Value = llvm::bit_cast<float>(read32(P));
    P += 4;
    return Value;
  }

private:
  const char *P;
  const char *End;

  LLVM_ATTRIBUTE_NOINLINE bool readLongULEB(uint64_t &Value) {
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
};

/// Reads the places of one record, each relative to the one before:
///     ULEB zigzag(line - last line) * 2 + another file, [ULEB file]
class PlaceReader {
public:
  /// False if there is none, or its line is none of 32 bits. Without a file,
  /// there is no line.
  bool read(Cursor &C, uint64_t &FileNumber, uint32_t &LineNumber) {
    uint64_t Step;
    if (!C.readULEB(Step) || ((Step & 1) && !C.readULEB(File)))
      return false;
    uint64_t Distance = Step / 4 + (Step >> 1 & 1);
    if (Distance > (Step & 2 ? Line : UINT32_MAX - Line))
      return false;
    Line = Step & 2 ? Line - Distance : Line + Distance;
    FileNumber = File;
    LineNumber = File ? static_cast<uint32_t>(Line) : 0;
    return true;
  }

private:
  uint64_t File = 0;
  uint64_t Line = 0;
};

class Decoder {
public:
  Decoder(llvm::StringRef Section, llvm::StringRef Strings,
          llvm::function_ref<void(const Fact &)> Visit,
          llvm::function_ref<void(const Calls &)> VisitCalls,
          llvm::function_ref<void(const TypeFact &)> VisitType,
          llvm::function_ref<void(const PointerFacts &)> VisitPointers)
      : Section(Section), Strings(Strings), Visit(Visit),
        VisitCalls(VisitCalls), VisitType(VisitType),
        VisitPointers(VisitPointers) {}

  /// Only the tables of names are read.
  Decoder(llvm::StringRef Section, llvm::function_ref<void(uint64_t)> VisitName)
      : Section(Section), VisitName(VisitName) {}

  llvm::Expected<DecodeCounts> decode();

private:
  /// What is held for the edge or use with this number in its record.
  struct NumberedLock {
    uint64_t Number = 0;
    bool IsLocked = false;
    uint64_t HeldLock = 0;
  };

  /// The same of a flag.
  struct NumberedFlag {
    uint64_t Number = 0;
    uint64_t OnceFlag = 0;
  };

  /// What records say of the accesses in the next one.
  struct AccessExtras {
    std::optional<llvm::StringRef> Order, Strides, HeldLocks, OnceFlags,
        Constants;
  };

  llvm::Error decodeContribution(llvm::StringRef Bytes);
  llvm::Error decodeRecords(llvm::StringRef Bytes);
  llvm::Error decodeCompressed(llvm::StringRef Payload);
  /// Sets \p Columns to those of \p Payload.
  llvm::Error splitColumns(llvm::StringRef Payload,
                           llvm::MutableArrayRef<Cursor> Columns) const;
  /// After the last entry, each column is at its end.
  llvm::Error expectEnds(llvm::ArrayRef<Cursor> Columns) const;
  llvm::Error decodeRecord(format::RecordKind Kind, llvm::StringRef Payload);
  llvm::Error setTable(Table &T, llvm::StringRef Payload, uint32_t EntrySize,
                       llvm::StringRef Subject);
  llvm::Error decodeNames(llvm::StringRef Payload);
  llvm::Error decodeFact(llvm::StringRef Payload);
  /// Makes it the function of Current.
  llvm::Error enterFunction(uint64_t Index);
  llvm::Error decodeAccess(Cursor &C, Access &A);
  /// Reads \p Payload, what a record says of each access of the next one;
  /// \p Noun and \p OrElse are words of the message where that does not fit.
  llvm::Error applyEach(llvm::StringRef Payload, const char *Noun,
                        const char *OrElse,
                        llvm::function_ref<bool(Cursor &, Access &)> Read);
  AccessExtras &extras() { return Extras ? *Extras : Extras.emplace(); }
  llvm::Error applyExtras(const AccessExtras &Said);
  llvm::Error applyOrder(llvm::StringRef Positions);
  llvm::Error applyStrides(llvm::StringRef Strides);
  llvm::Error applyHeldLocks(llvm::StringRef Locks);
  llvm::Error decodeCallLocks(llvm::StringRef Payload);
  llvm::Error readNumberedLocks(Cursor &C, std::vector<NumberedLock> &Result);
  void applyCallLocks(uint64_t Caller);
  void applyUseLocks(uint64_t Function);
  void visitTakers();
  llvm::Error applyOnceFlags(llvm::StringRef Flags);
  llvm::Error applyConstants(llvm::StringRef Constants);
  llvm::Error decodeCallFlags(llvm::StringRef Payload);
  bool readNumberedFlags(Cursor &C, std::vector<NumberedFlag> &Result) const;
  void applyCallFlags(uint64_t Caller);
  void applyUseFlags(uint64_t Function);
  /// What is held, as an access or an edge has it.
  template <typename T> bool readLock(Cursor &C, T &Result) const;
  llvm::Error decodeCalls(llvm::StringRef Payload);
  llvm::Error decodeEdge(Cursor &C, CallEdge &Edge, uint32_t &Stage,
                         bool IsFirst);
  llvm::Error decodeTypeFacts(llvm::StringRef Payload);
  llvm::Error decodeTypeFact(llvm::MutableArrayRef<Cursor> C,
                             PlaceReader &Places);
  llvm::Error decodeTypeAccess(llvm::MutableArrayRef<Cursor> C,
                               PlaceReader &Places, TypeAccess &A);
  llvm::Error decodePointers(llvm::StringRef Payload);
  llvm::Error decodeUse(llvm::MutableArrayRef<Cursor> C, PlaceReader &Places,
                        PointerUse &Use);
  llvm::Error decodeUseSteps(llvm::StringRef Payload);
  void applyUseSteps(uint64_t Function);
  bool decodeOrigin(Cursor &C, Origin &Source);
  bool decodeUsedAs(Cursor &C, PointerUse &Use);
  /// The address of a variable, 0 for one that is not here.
  bool readObject(Cursor &C, uint64_t &Address);
  bool readObjectAt(uint64_t Index, uint64_t &Address) const;
  bool readRecord(uint64_t Index, llvm::StringRef &Name);
  bool readFunction(Cursor &C, FunctionRef &Ref) const;
  llvm::Error readWeight(const char *Place, Cursor &C, double &Weight) const;
  FunctionRef resolve(uint64_t Reference) const;
  /// Whether there can be so many.
  bool isReference(uint64_t Number) const {
    return Number <= Section.size() + Expanded.size();
  }
  /// Only whether the string is there: to touch it would cost the time and the
  /// memory that reading it does.
  llvm::Error checkString(const char *Place) const;
  llvm::Error readString(const char *Place, llvm::StringRef &Result) const;
  llvm::Error readFile(const char *Place, uint64_t FileNumber,
                       llvm::StringRef &Result);

  /// \p Place is where in the section, or in what was compressed, the trouble
  /// is.
  llvm::Error error(const char *Place, const llvm::Twine &Message) const;

  llvm::StringRef Section;
  llvm::StringRef Strings;
  llvm::function_ref<void(const Fact &)> Visit;
  llvm::function_ref<void(const Calls &)> VisitCalls;
  llvm::function_ref<void(const TypeFact &)> VisitType;
  llvm::function_ref<void(const PointerFacts &)> VisitPointers;
  llvm::function_ref<void(uint64_t)> VisitName;
  Table Files, Functions, Objects, Names, Locals, Types;
  /// Most accesses have none.
  std::optional<AccessExtras> Extras;
  /// Of the next accesses by type, the bits and how many were used.
  llvm::StringRef Unlocked;
  size_t UnlockedSeen = 0;
  /// What is left of the declared types of the next edges.
  std::optional<llvm::StringRef> Declared;
  /// What a contribution says of a function's locks, by its reference.
  struct CallerLocks {
    llvm::SmallVector<LockTake, 0> Takes;
    bool LeavesLock = false;
    std::vector<NumberedLock> Edges;
  };
  std::map<uint64_t, CallerLocks> Locks;
  std::map<uint64_t, std::vector<NumberedLock>> UseLocks;
  std::map<uint64_t, std::vector<NumberedFlag>> CallFlags, UseFlags;
  /// By function, of uses by their numbers.
  std::map<uint64_t, std::vector<std::pair<uint64_t, ElementSteps>>> UseSteps;
  Fact Current;
  /// Facts of one function come one after the other, and so do accesses of one
  /// file: what was read last, by its number in the contribution.
  std::optional<uint64_t> CurrentFunction;
  uint64_t LastFile = 0;
  llvm::StringRef LastFileName;
  Calls CurrentCalls;
  TypeFact CurrentType;
  PointerFacts CurrentPointers;
  uint64_t ContributionOffset = 0;
  /// What the compressed record of the contribution has, and where that is.
  llvm::SmallVector<uint8_t, 0> Expanded;
  const char *ExpandedFrom = nullptr;
  /// Bytes of those of the contributions before.
  uint64_t ExpandedBefore = 0;
  DecodeCounts Counts;
};

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTS_DECODER_H
