// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last call of a block, and what its end asks.

#include "CallOutcomes.h"
#include "linesman/Facts/KnownFailures.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Triple.h"
#include <cerrno>

using namespace llvm;

namespace linesman::input {

namespace {

constexpr Register Result = 0; // rax and x0

struct Question {
  /// Null where the block has none.
  const Step *Call = nullptr, *Asked = nullptr;
  /// Nothing has changed the result of the call in between.
  bool IsOfResult = true;

  /// What is asked for is a register or a place that holds \p Number.
  bool isFor(int Number) const {
    if (Asked->Kind == StepKind::Test)
      return Number == 0;
    return Asked->Kind == StepKind::CompareValue && Asked->Src == NoRegister &&
           Asked->Immediate == Number;
  }
};

} // namespace

static Question questionOf(ArrayRef<Step> Steps) {
  Question Found;
  for (const Step &S : Steps)
    switch (S.Kind) {
    case StepKind::Call:
    case StepKind::CallThrough:
      Found = {&S, nullptr, true};
      break;
    case StepKind::Test:
    case StepKind::Compare:
    case StepKind::CompareValue:
      Found.Asked = &S;
      break;
    default:
      if ((definesDst(S.Kind) && S.Dst == Result) ||
          (S.Kind == StepKind::Clobber && S.Clobbers & 1 << Result)) {
        Found.Asked = nullptr;
        Found.IsOfResult = false;
      }
    }
  return Found;
}

/// Whether LLVM knows a function of this name in the libraries of Linux.
static bool isKnownFunction(StringRef Name) {
  static const TargetLibraryInfoImpl Library(Triple("x86_64-linux-gnu"));
  LibFunc Known;
  return Library.getLibFunc(Name, Known);
}

std::optional<bool> isTakenIfFailed(ArrayRef<Step> Steps, const CodeMap &Map) {
  if (Steps.empty() || Steps.back().Kind != StepKind::Branch)
    return std::nullopt;
  const Step &Branch = Steps.back();
  const Question End = questionOf(Steps);
  if (!End.Call || !End.Asked || !End.IsOfResult || End.Asked->Dst != Result ||
      ownCalleeOf(*End.Call, Map))
    return std::nullopt;
  const StringRef Callee = calleeOf(*End.Call, Map);
  const bool IfEqual = Branch.If == Condition::Zero;
  if (facts::givesZero(Callee))
    return End.isFor(0) && Branch.If != Condition::Other
               ? std::optional(!IfEqual)
               : std::nullopt;
  if (!isKnownFunction(Callee) || !facts::failsBelowZero(Callee))
    return std::nullopt;
  if (End.isFor(0) && Branch.IfSign != SignCondition::Other)
    return Branch.IfSign == SignCondition::Below;
  if (End.isFor(-1) && Branch.If != Condition::Other)
    return IfEqual;
  return std::nullopt;
}

std::optional<bool> isTakenIfInterrupted(ArrayRef<Step> Steps,
                                         const CodeMap &Map) {
  if (Steps.empty() || Steps.back().Kind != StepKind::Branch ||
      Steps.back().If == Condition::Other)
    return std::nullopt;
  const Question End = questionOf(Steps);
  if (!End.Call || !End.Asked || !End.isFor(EINTR))
    return std::nullopt;
  const Step &Asked = *End.Asked;
  const bool IsErrno = Asked.Spot.Base == Result && Asked.Spot.Disp == 0 &&
                       calleeOf(*End.Call, Map) == "__errno_location";
  if (Asked.Dst != Result && !IsErrno)
    return std::nullopt;
  return Steps.back().If == Condition::Zero;
}

} // namespace linesman::input
