// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last call of a block, and what is asked of its result.

#include "FailedCalls.h"
#include "linesman/Facts/KnownFailures.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace linesman::input {

/// Whether LLVM knows a function of this name in the libraries of Linux.
static bool isKnownFunction(StringRef Name) {
  static const TargetLibraryInfoImpl Library(Triple("x86_64-linux-gnu"));
  LibFunc Known;
  return Library.getLibFunc(Name, Known);
}

std::optional<bool> isTakenIfFailed(ArrayRef<Step> Steps, const CodeMap &Map) {
  constexpr Register Result = 0; // rax and x0
  if (Steps.empty() || Steps.back().Kind != StepKind::Branch)
    return std::nullopt;
  const Step &Branch = Steps.back();
  const Step *Call = nullptr, *Asked = nullptr;
  for (const Step &S : Steps.drop_back()) {
    if (S.Kind == StepKind::Call || S.Kind == StepKind::CallThrough)
      Call = &S, Asked = nullptr;
    else if (S.Kind == StepKind::Test || S.Kind == StepKind::CompareValue)
      Asked = &S;
    else if ((definesDst(S.Kind) && S.Dst == Result) ||
             (S.Kind == StepKind::Clobber && S.Clobbers & 1 << Result))
      Call = Asked = nullptr;
  }
  if (!Call || !Asked || Asked->Dst != Result || ownCalleeOf(*Call, Map))
    return std::nullopt;
  auto IsBeside = [&](int Number) {
    if (Asked->Kind == StepKind::Test)
      return Number == 0;
    return Asked->Src == NoRegister && Asked->Immediate == Number;
  };
  StringRef Callee = calleeOf(*Call, Map);
  const bool IsZero = Branch.If == Condition::Zero;
  if (facts::givesZero(Callee))
    return IsBeside(0) && Branch.If != Condition::Other ? std::optional(!IsZero)
                                                        : std::nullopt;
  if (!isKnownFunction(Callee) || !facts::failsBelowZero(Callee))
    return std::nullopt;
  if (IsBeside(0) && Branch.IfSign != SignCondition::Other)
    return Branch.IfSign == SignCondition::Below;
  if (IsBeside(-1) && Branch.If != Condition::Other)
    return IsZero;
  return std::nullopt;
}

} // namespace linesman::input
