// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the destructor's callee: names of vtables are stripped.

#include "ThreadState.h"

using namespace llvm;

namespace linesman::input {

static bool destroysState(uint64_t Function, const Architecture &Arch,
                          const CodeMap &Map) {
  constexpr size_t MostBytes = 64;
  size_t Size = 1;
  while (Size != MostBytes && !Map.isFunction(Function + Size))
    ++Size;
  bool Is = false;
  Arch.visitCalls(Map.codeFrom(Function).take_front(Size), Function,
                  [&](uint64_t Target, bool IsSlot) {
                    StringRef Callee = IsSlot ? Map.calleeThrough(Target)
                                              : Map.calleeAt(Target);
                    Is |= Callee.starts_with("_ZNSt6thread6_StateD");
                  });
  return Is;
}

std::optional<uint64_t>
runOfThreadState(uint64_t Table, const Architecture &Arch, const CodeMap &Map) {
  if (Map.isData(Table) || !Map.isSlot(Table))
    return std::nullopt;
  // The destructor that also frees: the other one can be _State's own.
  std::optional<uint64_t> Destroy = Map.pointerAt(Table + 8),
                          Run = Map.pointerAt(Table + 16);
  if (Destroy && Run && Map.isFunction(*Destroy) && Map.isFunction(*Run) &&
      destroysState(*Destroy, Arch, Map))
    return Run;
  return std::nullopt;
}

} // namespace linesman::input
