// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FlagWays.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace linesman::facts;

BlockSet linesman::facts::reachWithout(const Function &F,
                                       ArrayRef<FlagWay> Ways) {
  BlockSet Reached = {&F.getEntryBlock()};
  SmallVector<const BasicBlock *, 32> Worklist = {&F.getEntryBlock()};
  while (!Worklist.empty()) {
    const BasicBlock *BB = Worklist.pop_back_val();
    for (const BasicBlock *Next : successors(BB))
      if (!is_contained(Ways, FlagWay(BB, Next)) && Reached.insert(Next).second)
        Worklist.push_back(Next);
  }
  return Reached;
}

static bool returns(const BasicBlock &BB) {
  return succ_empty(&BB) &&
         !isa<UnreachableInst, ResumeInst>(BB.getTerminator());
}

UnsetWays linesman::facts::followUnset(ArrayRef<FlagWay> Ways,
                                       const BlockSet &Setters) {
  UnsetWays Found;
  BlockSet Seen;
  SmallVector<const BasicBlock *, 32> Worklist;
  auto Enter = [&](const BasicBlock *BB) {
    if (Setters.contains(BB))
      Found.Set = true;
    else if (Seen.insert(BB).second)
      Worklist.push_back(BB);
  };
  for (const auto &[Test, IfUnset] : Ways)
    Enter(IfUnset);
  while (!Worklist.empty()) {
    const BasicBlock *BB = Worklist.pop_back_val();
    Found.ComeBack |= is_contained(make_first_range(Ways), BB);
    Found.Leave |= returns(*BB);
    for (const BasicBlock *Next : successors(BB))
      Enter(Next);
  }
  return Found;
}
