// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own probabilities, with those of such branches set.

#include "FailedCalls.h"
#include "linesman/Facts/KnownFailures.h"
#include "linesman/Facts/Shares.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace linesman::facts;

/// Whether \p Compare is true where what is on its left is negative, or false;
/// no value where it asks for something else.
static std::optional<bool> asksForLess(const ICmpInst &Compare) {
  const Value *Right = Compare.getOperand(1);
  const CmpInst::Predicate Is = Compare.getPredicate();
  if (match(Right, m_Zero()) && Is == CmpInst::ICMP_SLT)
    return true;
  if (match(Right, m_AllOnes()) &&
      (Compare.isEquality() || Is == CmpInst::ICMP_SGT))
    return Is == CmpInst::ICMP_EQ;
  return std::nullopt;
}

/// Whether \p Compare is true where the call on its left failed, or false; no
/// value where it asks for something else.
static std::optional<bool> meansFailure(const ICmpInst &Compare,
                                        const TargetLibraryInfo &Library) {
  const auto *Call = dyn_cast<CallBase>(Compare.getOperand(0));
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->isDeclaration() || !Callee->hasName() ||
      !Call->getType()->isIntegerTy())
    return std::nullopt;
  const Value *Right = Compare.getOperand(1);
  if (givesZero(Callee->getName()))
    return match(Right, m_Zero()) && Compare.isEquality()
               ? std::optional(Compare.getPredicate() == CmpInst::ICMP_NE)
               : std::nullopt;
  LibFunc Known;
  // What only looks at memory compares, or searches.
  if (!Library.getLibFunc(*Callee, Known) || Call->onlyReadsMemory() ||
      !failsBelowZero(Callee->getName()))
    return std::nullopt;
  return asksForLess(Compare);
}

/// Of any other call, what is negative is a failure if the caller has nothing
/// to do then but to fail as well. Not of what only tries.
static bool mayPassOn(const CallBase &Call, const TargetLibraryInfo &Library) {
  if (!Call.getType()->isIntegerTy() || Call.onlyReadsMemory())
    return false;
  const Function *Callee = Call.getCalledFunction();
  LibFunc Known;
  return !Callee ||
         !(Callee->isIntrinsic() || Callee->getName().contains("try") ||
           Library.getLibFunc(*Callee, Known));
}

namespace {

/// Whether all ways from a block end the function with a failure: a negative
/// number, no pointer, what the failed call gave back, or the process's end.
class PassedOn {
public:
  explicit PassedOn(const CallBase &Failed) : Failed(Failed) {}

  bool from(const BasicBlock &Before, const BasicBlock &Begin) {
    Path = {&Before};
    return visit(Begin);
  }

private:
  bool visit(const BasicBlock &BB) {
    constexpr unsigned MostBlocks = 32;
    if (++Seen > MostBlocks || is_contained(Path, &BB))
      return false;
    const Instruction *End = BB.getTerminator();
    if (isa<UnreachableInst>(End))
      return true;
    Path.push_back(&BB);
    bool IsFailure = false;
    if (const auto *Return = dyn_cast<ReturnInst>(End))
      IsFailure = Return->getReturnValue() && fails(Return->getReturnValue());
    else if (isa<BranchInst, SwitchInst>(End))
      IsFailure = all_of(successors(&BB),
                         [&](const BasicBlock *Next) { return visit(*Next); });
    Path.pop_back();
    return IsFailure;
  }

  /// On the way that Path is.
  bool fails(const Value *Given) const {
    for (size_t I = Path.size() - 1; I != 0; --I)
      if (const auto *Phi = dyn_cast<PHINode>(Given);
          Phi && Phi->getParent() == Path[I])
        Given = Phi->getIncomingValueForBlock(Path[I - 1]);
    while (const auto *Cast = dyn_cast<CastInst>(Given))
      Given = Cast->getOperand(0);
    const auto *Number = dyn_cast<ConstantInt>(Given);
    return Given == &Failed || isa<ConstantPointerNull>(Given) ||
           (Number && Number->isNegative() && Number->getBitWidth() > 1);
  }

  const CallBase &Failed;
  SmallVector<const BasicBlock *, 8> Path;
  unsigned Seen = 0;
};

} // namespace

/// The position of the successor for a call that failed. Not of a branch that a
/// loop ends with, or begins again: what fails in the end is not what failed.
static std::optional<unsigned>
failedSuccessor(const BasicBlock &BB, const LoopInfo &Loops,
                const TargetLibraryInfo &Library) {
  const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
      Branch->hasMetadata(LLVMContext::MD_prof))
    return std::nullopt;
  const auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Compare)
    return std::nullopt;
  std::optional<bool> IfTrue = meansFailure(*Compare, Library);
  if (const auto *Call = dyn_cast<CallBase>(Compare->getOperand(0));
      !IfTrue && Call && mayPassOn(*Call, Library)) {
    IfTrue = asksForLess(*Compare);
    if (IfTrue &&
        !PassedOn(*Call).from(BB, *Branch->getSuccessor(*IfTrue ? 0 : 1)))
      return std::nullopt;
  }
  const Loop *Around = Loops.getLoopFor(&BB);
  if (!IfTrue || any_of(successors(&BB), [&](const BasicBlock *Next) {
        return Loops.getLoopFor(Next) != Around ||
               (Around && Next == Around->getHeader());
      }))
    return std::nullopt;
  return *IfTrue ? 0 : 1;
}

std::unique_ptr<BlockFrequencyInfo>
linesman::facts::weighFailedCalls(const Function &F, const LoopInfo &Loops,
                                  FunctionAnalysisManager &FAM) {
  auto &Library =
      FAM.getResult<TargetLibraryAnalysis>(const_cast<Function &>(F));
  MapVector<const BasicBlock *, unsigned> Failed;
  for (const BasicBlock &BB : F)
    if (auto Position = failedSuccessor(BB, Loops, Library))
      Failed[&BB] = *Position;
  if (Failed.empty())
    return nullptr;
  BranchProbabilityInfo Probabilities(F, Loops, &Library);
  constexpr unsigned Ways = 1 + unsigned(1 / ErrorShare);
  const BranchProbability OfFailure(1, Ways);
  for (auto [BB, Position] : Failed) {
    // What ends the process is rarer, and LLVM knows.
    if (Probabilities.getEdgeProbability(BB, Position) < OfFailure)
      continue;
    SmallVector<BranchProbability, 2> OfSuccessors(2, OfFailure.getCompl());
    OfSuccessors[Position] = OfFailure;
    Probabilities.setEdgeProbability(BB, OfSuccessors);
  }
  return std::make_unique<BlockFrequencyInfo>(F, Probabilities, Loops);
}
