// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores that are only done when they change something:
//
//     if (mode != wanted)
//       mode = wanted;
//     if (most < seen)       and all that goes one way
//       most = seen;

#include "ModuleFacts.h"
#include "linesman/Facts/Shares.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

double linesman::facts::shareOfChanges(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  if (!Store)
    return 1;
  const BasicBlock *Tester = Store->getParent()->getSinglePredecessor();
  if (!Tester)
    return 1;
  const auto *Branch = dyn_cast<BranchInst>(Tester->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return 1;
  const auto *Compare = dyn_cast<CmpInst>(Branch->getCondition());
  if (!Compare)
    return 1;
  // On either side of an order, what is kept is the least or the most.
  if (Compare->isEquality()) {
    const bool IfEqual = Compare->getPredicate() == CmpInst::ICMP_EQ;
    if (!isa<ICmpInst>(Compare) ||
        Branch->getSuccessor(IfEqual ? 1 : 0) != Store->getParent())
      return 1;
  }
  auto IsOld = [&](const Value *V) {
    const auto *Load = dyn_cast<LoadInst>(V);
    return Load && Load->getParent() == Tester &&
           Load->getPointerOperand() == Store->getPointerOperand();
  };
  const Value *Left = Compare->getOperand(0), *Right = Compare->getOperand(1),
              *New = Store->getValueOperand();
  return (IsOld(Left) && Right == New) || (IsOld(Right) && Left == New)
             ? ChangeShare
             : 1;
}
