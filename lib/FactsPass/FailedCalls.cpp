// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own probabilities, with those of such branches set.

#include "FailedCalls.h"
#include "linesman/Facts/KnownFailures.h"
#include "linesman/Facts/Shares.h"
#include "llvm/ADT/MapVector.h"
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
  const CmpInst::Predicate Is = Compare.getPredicate();
  if (givesZero(Callee->getName()))
    return match(Right, m_Zero()) && Compare.isEquality()
               ? std::optional(Is == CmpInst::ICMP_NE)
               : std::nullopt;
  LibFunc Known;
  // What only looks at memory compares, or searches.
  if (!Library.getLibFunc(*Callee, Known) || Call->onlyReadsMemory() ||
      !failsBelowZero(Callee->getName()))
    return std::nullopt;
  if (match(Right, m_Zero()) && Is == CmpInst::ICMP_SLT)
    return true;
  if (match(Right, m_AllOnes()) &&
      (Compare.isEquality() || Is == CmpInst::ICMP_SGT))
    return Is == CmpInst::ICMP_EQ;
  return std::nullopt;
}

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
  std::optional<bool> IfTrue =
      Compare ? meansFailure(*Compare, Library) : std::nullopt;
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
