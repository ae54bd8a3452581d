// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who is on a line: the accesses of one role, to the same bytes, of one kind,
// summed (Parties.cpp). Which of them meet is Score.cpp's matter.

#ifndef LINESMAN_LIB_LAYOUT_PARTIES_H
#define LINESMAN_LIB_LAYOUT_PARTIES_H

#include "linesman/Layout/Finding.h"
#include "llvm/ADT/SmallVector.h"
#include <tuple>

namespace linesman::layout {

enum class PartyKind : uint8_t { Reads, Writes };

struct Party {
  uint32_t Symbol;
  PartyKind Kind;
  RoleIndex RunBy;
  /// On this line; the whole part of the object for an access somewhere in it.
  AddressRange Bytes;
  /// Bytes of one access, where Bytes is only where it may be; 0 elsewhere.
  uint64_t Somewhere;
  /// Of an access somewhere: the elements that it may be of (facts::Access).
  uint64_t Stride = 0;
  LinkAddress First;
  bool IsByThread = false;
  /// Its elements begin at lines and are whole ones: somebody saw to it that
  /// threads with different elements do not meet.
  bool IsOfOwnLine = false;
  /// AccessTable::threadOf.
  uint16_t Thread = 0;
  uint32_t Guard = 0;
  /// Writes that change nothing: see writesOneConstant.
  bool IsRedundant = false;
  double Weight = 0;
  /// How much of an access falls on the line, of an array's less than all.
  double OnLine = 0;
  /// The part of Weight that is of this object and of no other one without a
  /// symbol (AccessTable::isDoubtful); of that,
  /// the parts that known threads run (RoleShare), that are made while a lock
  /// is held or are atomic, and the latter alone; and what is done while a lock
  /// is held by known threads, if there are any.
  double Sure = 0, Certain = 0, Synchronised = 0, Atomic = 0, Behind = 0;
  /// The part of Certain in functions that only threads run.
  double Threads = 0;
  /// All of Weight, of an object that stands in for others (isStandIn).
  double StandIn = 0;
  /// A lock (AccessTable::lockOf), and the part that is made while it is held.
  uint64_t Lock = 0;
  double Locked = 0;
  /// Plain writes to bytes that another thread uses as well: see findRaces.
  bool IsRace = false;
  /// See isWrittenByFew.
  bool IsByFew = false;
  /// The part of the score that its writes force.
  double Forced = 0;

  /// What parties differ in; the last word has the flags and small numbers.
  using Key = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                         uint64_t, uint64_t, uint64_t>;
  Key key() const {
    uint64_t Flags = uint64_t(IsByThread) << 63 | uint64_t(IsOfOwnLine) << 62 |
                     uint64_t(Thread) << 33 | uint64_t(Guard) << 1 |
                     uint64_t(IsRedundant);
    return {uint64_t(Symbol) << 8 | uint64_t(Kind),
            RunBy,
            Bytes.Begin.Value,
            Bytes.End.Value,
            Somewhere,
            Stride,
            First.Value,
            Flags};
  }
};

using Parties = llvm::SmallVector<Party, 32>;

enum class Accesses { All, LikelyOnes };

/// In the order of their symbols.
Parties findParties(const Image &Program, const AccessTable &Table,
                    llvm::ArrayRef<LineOccupant> Occupants, LineSize Line,
                    Accesses Counted);

/// An object that functions return where they have no other one: the end of all
/// lists, the message that is none. Many are given it, most only read it, and
/// who writes it does so for every thread. Through an address that wanders, and
/// is only thought to lead here, they rather write.
bool isStandIn(const AccessTable &Table, const AccessedObject &Object);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_PARTIES_H
