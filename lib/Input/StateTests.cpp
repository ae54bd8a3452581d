// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first comparison is in the block that loads the value; each of the others
// is a block that only the one before leads to.

#include "StateTests.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::input {

namespace {

/// A block ends with a comparison of a register with a number.
struct Comparison {
  Register Value = NoRegister;
  uint32_t IfOther = 0;
};

bool mayChange(const Step &S, Register R) {
  return (definesDst(S.Kind) && S.Dst == R) || (S.Clobbers >> R & 1) ||
         (S.Kind == StepKind::Access && S.Dst == R);
}

std::optional<Comparison> comparisonOf(ArrayRef<Step> Steps, const Block &B) {
  if (B.Last - B.First < 2 || B.Successors.size() != 2)
    return std::nullopt;
  const Step &Branch = Steps[B.Last - 1], &S = Steps[B.Last - 2];
  bool IsWithNumber =
      S.Kind == StepKind::Test ||
      (S.Kind == StepKind::CompareValue && S.Src == NoRegister) ||
      (S.Kind == StepKind::Compare && S.Spot.Base == NoRegister &&
       S.Spot.Index == NoRegister && !S.Spot.IsAddress);
  if (Branch.Kind != StepKind::Branch || Branch.If == Condition::Other ||
      !IsWithNumber || S.Dst >= MostRegisters)
    return std::nullopt;
  // The first successor of a branch is its target (ControlFlow.cpp).
  return Comparison{S.Dst, B.Successors[Branch.If == Condition::Zero]};
}

} // namespace

void addStateTests(ArrayRef<Step> Steps, const ControlFlow &Flow,
                   FoundFacts &Found) {
  for (size_t T = 0, All = Found.Tests.size(); T != All; ++T) {
    const FlagTest First = Found.Tests[T];
    std::optional<Comparison> Seen =
        comparisonOf(Steps, Flow.Blocks[First.Block]);
    if (!Seen || layout::OwnFlag::isOne(First.Address) ||
        !layout::FlagForm::isPlain(First.Address))
      continue;
    const Register Value = Seen->Value;
    uint32_t Last = First.Block;
    while (true) {
      const Block &Next = Flow.Blocks[Seen->IfOther];
      std::optional<Comparison> More = comparisonOf(Steps, Next);
      if (!More || More->Value != Value || Next.IsRoot ||
          Next.Predecessors.size() != 1 ||
          any_of(Steps.slice(Next.First, Next.Last - Next.First),
                 [&](const Step &S) { return mayChange(S, Value); }))
        break;
      Last = Seen->IfOther;
      Seen = More;
    }
    if (Last != First.Block)
      Found.Tests.push_back(
          {Last, Seen->IfOther, First.Address, false, /*IsOfSeveral=*/true});
  }
}

} // namespace linesman::input
