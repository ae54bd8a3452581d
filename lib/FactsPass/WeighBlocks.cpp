// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a block runs.

#include "ModuleFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace linesman::facts;

BlockWeights::BlockWeights(const Function &F, FunctionAnalysisManager &FAM)
    : F(F), FAM(FAM) {
  if (auto Count = F.getEntryCount()) {
    Entries = static_cast<double>(Count->getCount());
    HasProfile = true;
  }
}

/// How often a loop's turn begins, for a block in a loop that never ends: that
/// is what its executions are counted for. A thread's endless loop has no
/// executions per entry; LLVM takes 4096, which would outweigh all else.
std::optional<double>
BlockWeights::frequencyOfTurn(const BasicBlock &BB) const {
  const Loop *L = LI->getLoopFor(&BB);
  if (!L)
    return std::nullopt;
  L = L->getOutermostLoop();
  SmallVector<BasicBlock *, 4> Exits;
  L->getExitBlocks(Exits);
  if (!all_of(Exits, [](const BasicBlock *Exit) {
        return isa<UnreachableInst>(Exit->getTerminator());
      }))
    return std::nullopt;
  return static_cast<double>(BFI->getBlockFreq(L->getHeader()).getFrequency());
}

double BlockWeights::perEntry(const BasicBlock &BB) {
  // The entry has no predecessors: it runs once an entry.
  if (&BB == &F.getEntryBlock())
    return 1;
  if (!BFI) {
    BFI = &FAM.getResult<BlockFrequencyAnalysis>(const_cast<Function &>(F));
    // Block frequencies need it anyway. A profile has counted every turn.
    if (!HasProfile)
      LI = &FAM.getResult<LoopAnalysis>(const_cast<Function &>(F));
  }
  double Once = static_cast<double>(BFI->getEntryFreq().getFrequency());
  if (LI)
    if (auto Turn = frequencyOfTurn(BB); Turn && *Turn > 0)
      Once = *Turn;
  double Frequency = static_cast<double>(BFI->getBlockFreq(&BB).getFrequency());
  return Once > 0 ? Frequency / Once : Frequency;
}
