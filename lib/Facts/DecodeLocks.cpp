// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes to the locks that are held for accesses and calls. A lock that the
// linker discarded is some lock.

#include "Decoder.h"
#include "linesman/Facts/Discarded.h"
#include <cmath>

using namespace llvm;
using namespace linesman;
using namespace linesman::facts;

template <typename T> bool Decoder::readLock(Cursor &C, T &Result) const {
  uint64_t Number, Offset, Address;
  if (!C.readULEB(Number))
    return false;
  Result.IsLocked = Number != 0;
  if (Number < format::FirstLock)
    return true;
  if (!readObjectAt(Number - format::FirstLock, Address) || !C.readULEB(Offset))
    return false;
  Result.HeldLock = Address ? Address + Offset : 0;
  return true;
}

Error Decoder::applyHeldLocks(StringRef Locks) {
  return applyEach(Locks, "locks", " or of no object",
                   [&](Cursor &C, Access &A) { return readLock(C, A); });
}

Error Decoder::readNumberedLocks(Cursor &C, std::vector<NumberedLock> &Result) {
  const char *Begin = C.position();
  uint64_t Count;
  if (!C.readULEB(Count) || Count > C.left())
    return error(Begin, "found locks beyond their record");
  for (uint64_t I = 0; I != Count; ++I) {
    NumberedLock &Held = Result.emplace_back();
    if (!C.readULEB(Held.Number) || !readLock(C, Held))
      return error(Begin, "found locks beyond their record or of no object");
  }
  return Error::success();
}

Error Decoder::decodeCallLocks(StringRef Payload) {
  Cursor C(Payload);
  while (!C.atEnd()) {
    const char *Begin = C.position();
    uint64_t Caller, Takes;
    if (!C.readULEB(Caller) || !C.readULEB(Takes) || Caller == 0 ||
        !isReference(Caller) || Takes / 2 > C.left())
      return error(Begin,
                   "found no function and number of locks that it takes");
    CallerLocks &Known = Locks[Caller];
    Known.LeavesLock |= Takes & 1;
    for (uint64_t I = 0; I != Takes / 2; ++I) {
      uint64_t Address, Offset;
      if (!readObject(C, Address) || !C.readULEB(Offset) || C.atEnd())
        return error(Begin, "found locks beyond their record or of no object");
      double Weight = std::exp2((C.readByte() - format::WeightOfOne) /
                                double(format::WeightSteps));
      if (Address)
        Known.Takes.push_back({Address + Offset, Weight});
    }
    if (Error E = readNumberedLocks(C, Known.Edges))
      return E;
    if (Error E = readNumberedLocks(C, UseLocks[Caller]))
      return E;
  }
  return Error::success();
}

/// Numbers that the record does not have are of no harm.
template <typename ListT, typename LocksT>
static void setLocks(ListT &List, const LocksT &Locks) {
  for (const auto &Held : Locks)
    if (Held.Number < List.size()) {
      List[Held.Number].IsLocked = Held.IsLocked;
      List[Held.Number].HeldLock = Held.HeldLock;
    }
}

void Decoder::applyCallLocks(uint64_t Caller) {
  CurrentCalls.Takes.clear();
  CurrentCalls.LeavesLock = false;
  auto It = Locks.find(Caller);
  if (It == Locks.end())
    return;
  CurrentCalls.Takes = std::move(It->second.Takes);
  CurrentCalls.LeavesLock = It->second.LeavesLock;
  setLocks(CurrentCalls.Edges, It->second.Edges);
  Locks.erase(It);
}

void Decoder::applyUseLocks(uint64_t Function) {
  if (auto It = UseLocks.find(Function); It != UseLocks.end())
    setLocks(CurrentPointers.Uses, It->second);
}

/// Those that take locks and call nobody who matters.
void Decoder::visitTakers() {
  while (!Locks.empty()) {
    uint64_t Caller = Locks.begin()->first;
    CurrentCalls.Caller = resolve(Caller);
    CurrentCalls.Edges.clear();
    applyCallLocks(Caller);
    if (VisitCalls &&
        CurrentCalls.Caller != FunctionRef{FunctionRef::Address, 0})
      VisitCalls(CurrentCalls);
  }
}
