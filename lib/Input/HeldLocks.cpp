// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward data flow of sets, with the intersection where ways join. A lock that
// is left and not known is one of those that were taken without being known, if
// there are any, and otherwise perhaps each of those that are.

#include "HeldLocks.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::LockUse;

namespace linesman::input {

HeldLocks::HeldLocks(const ControlFlow &Flow, const LockChanges &Changes)
    : Flow(Flow), Changes(Changes), AtStart(Flow.Blocks.size()) {
  solve(0u);
  // Unwinding leaves what was taken before it: that tells nothing of callers.
  for (auto [I, B] : enumerate(Flow.Blocks))
    if (AtStart[I]) {
      Locks Held = *AtStart[I];
      for (const LockChange &C : Changes[I])
        LeavesCallers |= apply(C, Held);
    }
  SmallVector<uint32_t, 8> Roots;
  for (auto [I, B] : enumerate(Flow.Blocks))
    if (B.IsRoot)
      Roots.push_back(I);
  solve(Roots);
}

bool HeldLocks::apply(const LockChange &Change, Locks &Held) {
  if (Change.Use == LockUse::Takes) {
    if (!Change.Lock)
      ++Held.Others;
    else if (!is_contained(Held.Known, Change.Lock))
      Held.Known.push_back(Change.Lock);
    return false;
  }
  if (auto *It = find(Held.Known, Change.Lock); It != Held.Known.end()) {
    Held.Known.erase(It);
    return false;
  }
  if (Held.Others) {
    --Held.Others;
    return false;
  }
  if (!Change.Lock)
    Held.Known.clear();
  return true;
}

void HeldLocks::solve(ArrayRef<uint32_t> Entries) {
  SmallVector<uint32_t, 32> Worklist(Entries);
  for (uint32_t I : Entries)
    AtStart[I] = Locks();
  while (!Worklist.empty()) {
    uint32_t I = Worklist.pop_back_val();
    Locks Held = *AtStart[I];
    for (const LockChange &C : Changes[I])
      apply(C, Held);
    for (uint32_t Target : Flow.Blocks[I].Successors) {
      Locks Common = Held;
      if (const std::optional<Locks> &Other = AtStart[Target]) {
        erase_if(Common.Known,
                 [&](uint64_t L) { return !is_contained(Other->Known, L); });
        Common.Others = std::min(Common.Others, Other->Others);
        // One order for all ways, or it would never come to an end.
        if (Common.Known.size() == Other->Known.size())
          Common.Known = Other->Known;
        if (Common == *Other)
          continue;
      }
      AtStart[Target] = Common;
      Worklist.push_back(Target);
    }
  }
}

uint64_t HeldLocks::firstAt(uint32_t Block, uint32_t Offset) const {
  if (!AtStart[Block])
    return 0;
  Locks Held = *AtStart[Block];
  for (const LockChange &C : Changes[Block]) {
    if (C.Offset >= Offset)
      break;
    apply(C, Held);
  }
  return Held.Known.empty() ? 0 : Held.Known.front();
}

} // namespace linesman::input
