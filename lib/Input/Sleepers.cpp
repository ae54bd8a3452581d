// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sleepers.h"
#include "linesman/Facts/KnownThreads.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace linesman::input {

/// Bytes of a function that only turns its argument into what a library sleeps
/// for; one such function may call another.
static constexpr uint64_t MostSleeperBytes = 256;
static constexpr unsigned MostLayers = 2;

/// What says nothing about a function that calls it.
static bool saysNothing(StringRef Callee) {
  return Callee == "__stack_chk_fail" || Callee == "__errno_location";
}

DenseSet<uint64_t> findSleepers(const CodeFunctions &Functions,
                                const Architecture &Arch, const CodeMap &Map) {
  DenseSet<uint64_t> Sleeping, Harmless, Others, Found;
  Map.forEachImport([&](uint64_t Address, StringRef Name) {
    (facts::waitsForTime(Name) ? Sleeping
     : saysNothing(Name)       ? Harmless
                               : Others)
        .insert(Address);
  });
  for (unsigned Layer = 0; Layer != MostLayers && !Sleeping.empty(); ++Layer) {
    std::vector<uint64_t> More;
    for (size_t I = 0; I != Functions.size(); ++I) {
      if (Functions.sizeOf(I) > MostSleeperBytes)
        continue;
      const CodeFunction Function = Functions.unnamed(I);
      const uint64_t Begin = Function.Range.Begin.Value;
      bool Sleeps = false, DoesMore = false;
      Arch.visitCalls(Function.Bytes, Begin, [&](uint64_t Target, bool) {
        if (Sleeping.contains(Target))
          Sleeps = true;
        else if (!Harmless.contains(Target))
          DoesMore |= Others.contains(Target) ||
                      (Target != Begin && Map.isFunction(Target));
      });
      if (Sleeps && !DoesMore)
        More.push_back(Begin);
    }
    Sleeping.insert_range(More);
    Found.insert_range(More);
  }
  return Found;
}

} // namespace linesman::input
