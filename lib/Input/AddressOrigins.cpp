// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register that is a copy of another one makes nothing new.

#include "AddressOrigins.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::input {

void AddressOrigins::follow(const Step &S, uint32_t Block) {
  // Most steps are copies and numbers.
  bool IsCopy = S.Kind == StepKind::Add && S.Spot.Index == NoRegister &&
                !S.Spot.IsAddress &&
                (S.Spot.Disp == 0 || S.Spot.Base == NoRegister);
  if (IsCopy || (S.Kind != StepKind::Add && S.Kind != StepKind::Load))
    return;
  const Value Made = State.valueOf(S.Dst);
  if (std::optional<uint64_t> Address = Made.exactAddress()) {
    SmallVector<uint32_t, 2> &Blocks = MadeIn[*Address];
    if (Blocks.empty() || Blocks.back() != Block)
      Blocks.push_back(Block);
    return;
  }
  for (const Alternative &A : Made.known())
    if (A.isAddress())
      Others.insert(A.Place);
}

void AddressOrigins::boundUses(MutableArrayRef<FoundAccess> Accesses) const {
  for (const Use &U : Uses) {
    auto Made = MadeIn.find(U.Address);
    if (Made == MadeIn.end() || Others.contains(U.Address))
      continue;
    FoundAccess &A = Accesses[U.Access];
    // What was made in front of a loop is used in each of its turns.
    if (any_of(Made->second, [&](uint32_t Block) {
          return loopOf(Block) != loopOf(A.Block);
        }))
      continue;
    double Sum = 0;
    for (uint32_t Block : Made->second)
      Sum += Flow.Blocks[Block].Frequency;
    A.Weight = std::min(A.Weight, Sum);
  }
}

} // namespace linesman::input
