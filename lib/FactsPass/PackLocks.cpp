// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks as bytes. Few functions take any, so that what the others need is
// nothing.

#include "CallRecord.h"
#include "PackNumbered.h"
#include "Pointers.h"
#include "linesman/Facts/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace linesman::facts;

bool FunctionFacts::hasLocks() const {
  return LeavesLock || !Takes.empty() ||
         any_of(Calls, [](const Edge &E) { return bool(E.Held); }) ||
         any_of(Pointers, [](const PointerFact &P) { return bool(P.Held); });
}

void linesman::facts::writeLock(
    const LockState &Held, function_ref<uint32_t(const GlobalValue &)> Index,
    raw_ostream &OS) {
  if (!Held.Lock) {
    encodeULEB128(Held.IsLocked ? format::SomeLock : 0, OS);
    return;
  }
  encodeULEB128(format::FirstLock + Index(*Held.Lock.Object), OS);
  encodeULEB128(Held.Lock.Offset, OS);
}

std::string linesman::facts::packCallLocks(
    const ModuleFacts &Facts, const CallRecord &Numbers,
    CallRecord::SymbolNames Name,
    function_ref<uint32_t(const GlobalValue &)> Index) {
  std::string Payload;
  raw_string_ostream OS(Payload);
  for (const FunctionFacts &FF : Facts.Functions) {
    uint64_t Function =
        FF.hasLocks() ? Numbers.reference(FF.F, Name) : uint64_t(0);
    if (!Function)
      continue;
    encodeULEB128(Function, OS);
    encodeULEB128(FF.Takes.size() * 2 + FF.LeavesLock, OS);
    for (const Take &T : FF.Takes) {
      encodeULEB128(Index(*T.Lock.Object), OS);
      encodeULEB128(T.Lock.Offset, OS);
      OS << static_cast<char>(packWeight(T.Weight));
    }
    auto Write = [&](const LockState &Held) { writeLock(Held, Index, OS); };
    writeNumbered(FF.Calls, &Edge::Held, Write, OS);
    writeNumbered(FF.Pointers, &PointerFact::Held, Write, OS);
  }
  return Payload;
}
