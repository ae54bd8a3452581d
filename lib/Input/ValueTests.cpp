// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, comparisons and branches to tests of variables.

#include "ValueTests.h"

namespace linesman::input {

void ValueTests::enterBlock() {
  LoadedFrom.fill(0);
  LoadedAt = UINT32_MAX;
  Tested = Matched = 0;
  Compared = nullptr;
}

uint64_t ValueTests::variableAt(const Place &Spot) const {
  if (Spot.IsOwn)
    return layout::OwnFlag::at(Spot.Disp);
  if (!State.isSolved() && !Spot.IsAddress)
    return 0;
  uint64_t Address = State.evaluate(Spot).exactAddress().value_or(0);
  return Map.isData(Address) ? Address : 0;
}

void ValueTests::follow(const Step &S, uint32_t Block) {
  switch (S.Kind) {
  case StepKind::Access:
    if (S.Dst < MostRegisters) {
      LoadedFrom[S.Dst] = variableAt(S.Spot);
      LoadedAt = S.Offset;
    }
    break;
  case StepKind::Compare:
    Tested = 0;
    Compared = &S;
    Matched = S.Spot.Base == NoRegister && S.Spot.Index == NoRegister &&
                      !S.Spot.IsAddress && S.Dst < MostRegisters
                  ? LoadedFrom[S.Dst]
                  : 0;
    IsMatchedMinus = S.Spot.Disp == -1;
    break;
  case StepKind::CompareValue:
    Tested = 0;
    Compared = nullptr;
    Matched = S.Src != NoRegister     ? 0
              : S.Dst < MostRegisters ? LoadedFrom[S.Dst]
                                      : variableAt(S.Spot);
    IsMatchedMinus = S.Immediate == -1;
    break;
  case StepKind::Test:
    Compared = nullptr;
    Matched = 0;
    Tested = S.Dst < MostRegisters ? LoadedFrom[S.Dst] : variableAt(S.Spot);
    break;
  case StepKind::Branch:
    if (Compared)
      Pointers.addTest(*Compared, S, Block);
    addTest(S, Block);
    break;
  case StepKind::Add:
    if (S.Spot.Base < MostValues && S.Spot.Index == NoRegister && !S.Spot.Disp)
      LoadedFrom[S.Dst] = LoadedFrom[S.Spot.Base];
    else
      LoadedFrom[S.Dst] = 0;
    break;
  case StepKind::Load:
  case StepKind::Reload:
  case StepKind::Select:
    // The step of one load that says what it loads from comes first.
    if (S.Offset != LoadedAt)
      LoadedFrom[S.Dst] = 0;
    break;
  default:
    for (unsigned R = 0; R != MostRegisters; ++R)
      if (S.Clobbers >> R & 1 && S.Offset != LoadedAt)
        LoadedFrom[R] = 0;
  }
}

void ValueTests::addTest(const Step &Branch, uint32_t Block) {
  const auto &Next = Flow.Blocks[Block].Successors;
  // The first successor of a branch is its target (ControlFlow.cpp).
  if (Branch.If == Condition::Other || Next.size() != 2)
    return;
  bool IfZero = Branch.If == Condition::Zero;
  if (Tested) {
    Found.push_back({Block, Next[!IfZero], Tested});
    if (!layout::OwnFlag::isOne(Tested))
      Found.push_back({Block, Next[IfZero], layout::FlagForm::firstAt(Tested)});
  } else if (Matched) {
    Found.push_back({Block, Next[IfZero], Matched, false});
  }
  if (!Tested && Matched && IsMatchedMinus)
    Found.push_back({Block, Next[!IfZero], layout::FlagForm::minusAt(Matched)});
}

} // namespace linesman::input
