// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags that calls and uses of pointers are behind, as bytes. Few are.

#include "CallRecord.h"
#include "PackNumbered.h"
#include "Pointers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace linesman::facts;

bool FunctionFacts::hasFlags() const {
  return any_of(Calls, [](const Edge &E) { return bool(E.Flag); }) ||
         any_of(Pointers, [](const PointerFact &P) { return bool(P.Flag); });
}

std::string linesman::facts::packCallFlags(
    const ModuleFacts &Facts, const CallRecord &Numbers,
    CallRecord::SymbolNames Name,
    function_ref<uint32_t(const GlobalValue &)> Index) {
  std::string Payload;
  raw_string_ostream OS(Payload);
  for (const FunctionFacts &FF : Facts.Functions) {
    uint64_t Function =
        FF.hasFlags() ? Numbers.reference(FF.F, Name) : uint64_t(0);
    if (!Function)
      continue;
    encodeULEB128(Function, OS);
    auto Write = [&](const ObjectPlace &Flag) {
      encodeULEB128(Index(*Flag.Object), OS);
      encodeULEB128(Flag.Offset, OS);
    };
    writeNumbered(FF.Calls, &Edge::Flag, Write, OS);
    writeNumbered(FF.Pointers, &PointerFact::Flag, Write, OS);
  }
  return Payload;
}
