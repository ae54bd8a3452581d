// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function does through pointers that do not name an object where they
// are used, and where it puts pointers:
//
//     void set(Item *I) { I->owner = me; }     writes 8 bytes at 16 of
//                                              parameter 0
//     void add() { set(&nil); }                hands nil to parameter 0 of set
//
// Joined over all units (linesman/Layout/PointerJoin.h), these are accesses to
// objects. docs/facts-format.md has the bytes.

#ifndef LINESMAN_FACTS_POINTERS_H
#define LINESMAN_FACTS_POINTERS_H

#include "linesman/Facts/Facts.h"

namespace linesman::facts {

/// Where a pointer comes from.
struct Origin {
  enum OriginKind : uint8_t {
    /// The address of an object: Value is that address.
    Object = 0,
    /// A parameter of the function: Value is its number among those that
    /// integer registers pass, where all of them had one.
    Parameter = 1,
    /// What Function returned; of machine code, Value is the call's address,
    /// and of a library's function there is no more than that.
    Result = 2,
    /// Loaded from the member at Offset of a Record, of whatever object.
    Field = 3,
    /// Loaded from Offset of the object at Value.
    Variable = 4,
    /// Anything else, as one alternative of what is returned.
    Unknown = 5,
    /// Only of machine code, which knows no types: loaded by the instruction at
    /// Value through another pointer (PointerUse::LoadedThrough).
    Loaded = 6,
  };
  OriginKind Kind = Unknown;
  uint64_t Value = 0;
  /// For Field, Variable and Loaded, bytes; nothing when it is not constant.
  std::optional<uint64_t> Offset;
  FunctionRef Function;
  /// As RecordType::Name.
  llvm::StringRef Record;
};

/// The places that an index picks, as in table[h & 15]: First plus multiples of
/// Stride, in bytes. A Stride of 0 says nothing.
struct ElementSteps {
  uint64_t Stride = 0;
  uint64_t First = 0;
  /// Each thread has places of its own.
  bool IsByThread = false;

  explicit operator bool() const { return Stride != 0; }
  friend bool operator==(const ElementSteps &, const ElementSteps &) = default;
};

/// Of places \p Stride bytes apart, one of which is at \p Place, the first that
/// is not in front of 0.
constexpr uint64_t firstPlace(int64_t Place, uint64_t Stride) {
  if (Place >= 0)
    return Place;
  uint64_t Behind = (0 - uint64_t(Place)) % Stride;
  return Behind ? Stride - Behind : 0;
}

/// One thing that a function does with one pointer.
struct PointerUse {
  enum UseKind : uint8_t {
    /// Reads or writes memory there.
    Access = 0,
    /// Gives it to Callee as its parameter number Parameter.
    Handed = 1,
    Returned = 2,
    /// Stores it: Destination is a Field or a Variable.
    Stored = 3,
    /// Stores it at Distance from where Destination points.
    StoredThrough = 4,
    /// Loads what is there: Destination, which is Loaded.
    LoadedThrough = 5,
  };
  UseKind Kind = Access;
  Origin Source;
  /// Bytes from there to what is used; nothing when it is not constant.
  std::optional<int64_t> Offset = 0;
  /// For Access and Handed, without an Offset.
  ElementSteps Steps;
  /// The pointer is one of several, and perhaps never this one.
  bool IsMay = false;
  /// For Access.
  AccessKind Does = AccessKind::Read;
  /// For Access, and for Handed where all uses were asked for: a call that
  /// takes a lock there, or leaves it.
  bool IsLock = false;
  /// For Access: bytes; 0 when it is not known.
  uint64_t Size = 0;
  /// For Handed.
  FunctionRef Callee;
  uint32_t Parameter = 0;
  /// For StoredThrough.
  int32_t Distance = 0;
  /// For what stores or loads.
  Origin Destination;
  /// A test in front of the use says that the pointer Source, without Offset,
  /// is not this address; 0 where there is none.
  uint64_t Except = 0;
  /// Executions per entry; with PointerFacts::HasProfile a profile's count,
  /// unless Source is a Parameter.
  double Weight = 1;
  /// Where it is written; empty and 0 without debug info.
  llvm::StringRef File;
  uint32_t Line = 0;
  /// As in Access.
  uint64_t Instruction = 0;
  std::optional<uint32_t> StagesBefore;
  uint64_t OnceFlag = 0;
  bool IsLocked = false;
  uint64_t HeldLock = 0;
};

/// All of one function.
struct PointerFacts {
  /// None for initial values of variables.
  FunctionRef Function;
  bool HasProfile = false;
  /// Most functions have none, and a large binary has a million functions.
  llvm::SmallVector<PointerUse, 0> Uses;
};

} // namespace linesman::facts

#endif // LINESMAN_FACTS_POINTERS_H
