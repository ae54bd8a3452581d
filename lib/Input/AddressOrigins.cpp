// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the steps that form addresses; copies of registers are none.

#include "AddressOrigins.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::input {

void AddressOrigins::follow(const Step &S, uint32_t Block) {
  bool IsCopy = S.Kind == StepKind::Add && S.Spot.Index == NoRegister &&
                !S.Spot.IsAddress &&
                (S.Spot.Disp == 0 || S.Spot.Base == NoRegister);
  if (IsCopy || (S.Kind != StepKind::Add && S.Kind != StepKind::Load))
    return;
  const Value Made = State.valueOf(S.Dst);
  if (std::optional<uint64_t> Address = Made.exactAddress()) {
    SmallVector<uint32_t, 2> &Blocks = Origins[*Address];
    if (Blocks.empty() || Blocks.back() != Block)
      Blocks.push_back(Block);
    return;
  }
  for (const Alternative &A : Made.known())
    if (A.isAddress())
      Unbounded.insert(A.Place);
}

void AddressOrigins::boundUses(MutableArrayRef<FoundAccess> Accesses) const {
  for (const Use &U : Uses) {
    auto Origin = Origins.find(U.Address);
    if (Origin == Origins.end() || Unbounded.contains(U.Address))
      continue;
    FoundAccess &A = Accesses[U.Access];
    // An address formed in front of a loop is used in each of its turns.
    if (any_of(Origin->second, [&](uint32_t Block) {
          return loopOf(Block) != loopOf(A.Block);
        }))
      continue;
    double Sum = 0;
    for (uint32_t Block : Origin->second)
      Sum += Flow.Blocks[Block].Frequency;
    A.Weight = std::min(A.Weight, Sum);
  }
}

} // namespace linesman::input
