// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of pointers to the places that they are kept in.

#include "PointerSlots.h"

using linesman::layout::SlotSignature;

namespace linesman::input {

uint8_t PointerSlots::at(const Place &Spot) const {
  if (Spot.IsAddress && Spot.Index != NoRegister)
    return SlotSignature::inRecord(0); // an array of pointers
  if (std::optional<uint64_t> Variable = State.evaluate(Spot).exactAddress())
    return SlotSignature::inVariable(*Variable);
  return Spot.Base == NoRegister ? SlotSignature::Handed
                                 : SlotSignature::inRecord(Spot.Disp);
}

uint8_t PointerSlots::ofCallee(const Step &S) const {
  if (S.Dst < MostRegisters)
    return SlotOf[S.Dst] ? SlotOf[S.Dst] : SlotSignature::Handed;
  return at(S.Spot);
}

void PointerSlots::follow(const Step &S) {
  switch (S.Kind) {
  case StepKind::Access:
    if (S.Dst < MostRegisters) {
      SlotOf[S.Dst] = at(S.Spot);
      LoadedAt = S.Offset;
    }
    break;
  case StepKind::Add:
    SlotOf[S.Dst] =
        S.Spot.Base < MostValues && S.Spot.Index == NoRegister && !S.Spot.Disp
            ? SlotOf[S.Spot.Base]
            : 0;
    break;
  case StepKind::Load:
  case StepKind::Reload:
  case StepKind::Select:
    // The step of one load that says what it loads from comes first.
    if (S.Offset != LoadedAt)
      SlotOf[S.Dst] = S.Kind == StepKind::Load ? at(S.Spot) : 0;
    break;
  default:
    for (unsigned R = 0; R != MostRegisters; ++R)
      if (S.Clobbers >> R & 1 && S.Offset != LoadedAt)
        SlotOf[R] = 0;
  }
}

} // namespace linesman::input
