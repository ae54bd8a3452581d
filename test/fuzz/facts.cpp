// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts section: half of the bytes are facts, the rest their strings.

#include "linesman/Facts/Facts.h"
#include "Fuzz.h"
#include "linesman/Facts/Pointers.h"

using namespace linesman;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size < 2)
    return 0;
  size_t Facts = std::min<size_t>(Data[0] | Data[1] << 8, Size - 2);
  llvm::StringRef Section = fuzz::text(Data + 2, Facts);
  llvm::StringRef Strings = fuzz::text(Data + 2 + Facts, Size - 2 - Facts);
  uint64_t Sum = 0;
  auto Read = facts::decodeFacts(
      Section, Strings,
      [&](const facts::Fact &F) {
        Sum += F.FunctionName.size() + F.Accesses.size();
      },
      [&](const facts::Calls &C) { Sum += C.Edges.size(); },
      [&](const facts::TypeFact &T) { Sum += T.Accesses.size(); },
      [&](const facts::PointerFacts &P) { Sum += P.Uses.size(); });
  fuzz::succeeded(Read);
  if (llvm::Error E = facts::visitNames(Section, [&](uint64_t N) { Sum += N; }))
    llvm::consumeError(std::move(E));
  // Nothing that was read may be optimised away; the fuzzer takes -1 as "not
  // for the corpus".
  return Sum == UINT64_MAX ? -1 : 0;
}
