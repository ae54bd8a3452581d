// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an edge dominates is what nothing reaches without it.

#include "OnceCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::input {

/// Tests of one function that are looked at, and those of flags that the
/// function sets: each of these costs a walk over its blocks. A function that
/// counts for statistics may have a hundred.
static constexpr size_t MostTests = 1024, MostWalks = 256;

std::vector<bool> reachWithout(const ControlFlow &Flow, uint32_t EdgeFrom,
                               uint32_t EdgeTo) {
  std::vector<bool> Reached(Flow.Blocks.size());
  SmallVector<uint32_t, 32> Worklist;
  auto Enter = [&](uint32_t Block) {
    if (Reached[Block])
      return;
    Reached[Block] = true;
    Worklist.push_back(Block);
  };
  for (auto [I, B] : enumerate(Flow.Blocks))
    if (B.IsRoot)
      Enter(I);
  while (!Worklist.empty()) {
    uint32_t Source = Worklist.pop_back_val();
    for (uint32_t Target : Flow.Blocks[Source].Successors)
      if (Source != EdgeFrom || Target != EdgeTo)
        Enter(Target);
  }
  return Reached;
}

/// if (!x) init(); where init may be what sets x: whether it does, only the
/// whole binary tells. Only calls right behind the test.
static void markTestedCalls(const ControlFlow &Flow, FoundFacts &Found) {
  SmallDenseMap<uint32_t, uint64_t, 8> FlagOf;
  for (const FlagTest &Test : Found.Tests)
    if (const Block &B = Flow.Blocks[Test.IfUnset];
        Test.IsOfZero && B.Predecessors.size() == 1 && !B.IsRoot)
      FlagOf[Test.IfUnset] = Test.Address;
  if (FlagOf.empty())
    return;
  for (FoundCall &C : Found.Calls)
    if (C.Kind == facts::CallKind::Direct && !C.OnceFlag)
      C.OnceFlag = FlagOf.lookup(C.Block);
}

void markOnceCode(const ControlFlow &Flow, FoundFacts &Found) {
  // Also by a compare-exchange, of which one thread's succeeds.
  // Of a state that is another number, only the callee knows which.
  auto Sets = [](const FoundAccess &A, const FlagTest &Test) {
    return Test.IsOfZero && A.Kind != facts::AccessKind::Read &&
           !A.IsSomewhere && A.Address == Test.Address &&
           A.Stored.value_or(1) != 0;
  };
  // Or what is given its address sets it: whether it does, only the whole
  // binary tells.
  auto Hands = [](const FoundUse &U, const FlagTest &Test) {
    const facts::PointerUse &Use = U.Use;
    return Use.Kind == facts::PointerUse::Handed && !Use.IsMay && Use.Offset &&
           Use.Source.Kind == facts::Origin::Object &&
           Use.Source.Value + *Use.Offset == Test.Address;
  };
  auto IsSet = [&](const FlagTest &Test, auto IsBehind) {
    return any_of(Found.Accesses,
                  [&](const FoundAccess &A) {
                    return Sets(A, Test) && IsBehind(A.Block);
                  }) ||
           any_of(Found.Uses, [&](const FoundUse &U) {
             return Hands(U, Test) && IsBehind(U.Block);
           });
  };
  size_t Walks = 0;
  for (const FlagTest &Test : ArrayRef(Found.Tests).take_front(MostTests)) {
    if (!IsSet(Test, [](uint32_t) { return true; }))
      continue;
    if (++Walks > MostWalks)
      break;
    std::vector<bool> Others = reachWithout(Flow, Test.Block, Test.IfUnset);
    // The store may be gone where both edges lead to one block.
    if (!IsSet(Test, [&](uint32_t Block) { return !Others[Block]; }))
      continue;
    auto Mark = [&](auto &Lot) {
      for (auto &A : Lot)
        if (!Others[A.Block] && !A.OnceFlag)
          A.OnceFlag = Test.Address;
    };
    Mark(Found.Accesses);
    Mark(Found.Calls);
    Mark(Found.Uses);
  }
  markTestedCalls(Flow, Found);
}

} // namespace linesman::input
