// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags that calls and uses of pointers are behind, as bytes. Few are.

#include "CallRecord.h"
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

/// The flags of those that have any, by number.
template <typename T>
static void writeFlags(ArrayRef<T> All,
                       function_ref<uint32_t(const GlobalValue &)> Index,
                       raw_ostream &OS) {
  encodeULEB128(count_if(All, [](const T &One) { return bool(One.Flag); }), OS);
  for (auto [Number, One] : enumerate(All))
    if (One.Flag) {
      encodeULEB128(Number, OS);
      encodeULEB128(Index(*One.Flag.Object), OS);
      encodeULEB128(One.Flag.Offset, OS);
    }
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
    writeFlags<Edge>(FF.Calls, Index, OS);
    writeFlags<PointerFact>(FF.Pointers, Index, OS);
  }
  return Payload;
}
