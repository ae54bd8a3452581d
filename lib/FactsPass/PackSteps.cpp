// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements uses of pointers mean, as bytes. Few say so.

#include "CallRecord.h"
#include "PackNumbered.h"
#include "Pointers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace linesman::facts;

std::string linesman::facts::packSteps(const ModuleFacts &Facts,
                                       const CallRecord &Numbers,
                                       CallRecord::SymbolNames Name) {
  std::string Payload;
  raw_string_ostream OS(Payload);
  for (const FunctionFacts &FF : Facts.Functions) {
    bool HasSteps =
        any_of(FF.Pointers, [](const PointerFact &P) { return bool(P.Steps); });
    uint64_t Function = HasSteps ? Numbers.reference(FF.F, Name) : uint64_t(0);
    if (!Function)
      continue;
    encodeULEB128(Function, OS);
    writeNumbered(
        FF.Pointers, &PointerFact::Steps,
        [&](const ElementSteps &Steps) {
          encodeULEB128(Steps.Stride * 2 + Steps.IsByThread, OS);
          encodeULEB128(Steps.First, OS);
        },
        OS);
  }
  return Payload;
}
