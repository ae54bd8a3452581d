// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes to the flags that accesses and calls are behind, and to the constants
// that are stored. A flag that the linker discarded is none.

#include "Decoder.h"

using namespace llvm;
using namespace linesman;
using namespace linesman::facts;

Error Decoder::applyOnceFlags(StringRef Flags) {
  return applyEach(
      Flags, "flags", " or of no object", [&](Cursor &C, Access &A) {
        uint64_t Number, Offset, Address;
        if (!C.readULEB(Number))
          return false;
        if (!Number)
          return true;
        if (!readObjectAt(Number - 1, Address) || !C.readULEB(Offset))
          return false;
        A.OnceFlag = Address ? Address + Offset : 0;
        return true;
      });
}

Error Decoder::applyConstants(StringRef Stored) {
  return applyEach(Stored, "constants", "", [](Cursor &C, Access &A) {
    uint64_t IsConstant, Value;
    if (!C.readULEB(IsConstant) || IsConstant > 1 ||
        (IsConstant && !C.readULEB(Value)))
      return false;
    if (IsConstant)
      A.Stored = Value;
    return true;
  });
}

bool Decoder::readNumberedFlags(Cursor &C,
                                std::vector<NumberedFlag> &Result) const {
  uint64_t Count;
  if (!C.readULEB(Count) || Count > C.left())
    return false;
  for (uint64_t I = 0; I != Count; ++I) {
    uint64_t Number, Object, Offset, Address;
    if (!C.readULEB(Number) || !C.readULEB(Object) ||
        !readObjectAt(Object, Address) || !C.readULEB(Offset))
      return false;
    if (Address)
      Result.push_back({Number, Address + Offset});
  }
  return true;
}

Error Decoder::decodeCallFlags(StringRef Payload) {
  Cursor C(Payload);
  while (!C.atEnd()) {
    const char *Begin = C.position();
    uint64_t Caller;
    if (!C.readULEB(Caller) || Caller == 0 || !isReference(Caller) ||
        !readNumberedFlags(C, CallFlags[Caller]) ||
        !readNumberedFlags(C, UseFlags[Caller]))
      return error(Begin, "found flags of calls beyond their record or of no "
                          "object");
  }
  return Error::success();
}

/// Numbers that the record does not have are of no harm.
template <typename ListT, typename FlagsT>
static void setFlags(ListT &List, const FlagsT &Flags) {
  for (const auto &One : Flags)
    if (One.Number < List.size())
      List[One.Number].OnceFlag = One.OnceFlag;
}

void Decoder::applyCallFlags(uint64_t Caller) {
  if (auto It = CallFlags.find(Caller); It != CallFlags.end())
    setFlags(CurrentCalls.Edges, It->second);
}

void Decoder::applyUseFlags(uint64_t Function) {
  if (auto It = UseFlags.find(Function); It != UseFlags.end())
    setFlags(CurrentPointers.Uses, It->second);
}
