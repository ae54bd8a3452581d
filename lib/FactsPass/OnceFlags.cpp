// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an edge dominates is behind it.

#include "OnceFlags.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace linesman::facts;

/// Tests of one function that are looked at: each that is set asks for the
/// blocks that it dominates.
static constexpr size_t MostTests = 64;

/// The object that a pointer is certain to be to, and where in it.
static ObjectPlace placeOf(const Value *Pointer, const DataLayout &DL) {
  int64_t Offset = 0;
  const Value *Object = GetPointerBaseWithConstantOffset(Pointer, Offset, DL);
  const auto *Variable = dyn_cast<GlobalVariable>(Object);
  if (!Variable || Variable->isConstant() || Variable->isThreadLocal() ||
      Offset < 0)
    return {};
  return {Variable, uint64_t(Offset)};
}

/// The load whose value decides; \p WhenZero says which way a zero goes.
static const LoadInst *findLoad(const Value *Condition, bool &WhenZero) {
  const Value *Tested = Condition;
  // A bool that was loaded is its own condition.
  WhenZero = false;
  if (const auto *Compare = dyn_cast<ICmpInst>(Condition)) {
    if (!Compare->isEquality() || !match(Compare->getOperand(1), m_Zero()))
      return nullptr;
    Tested = Compare->getOperand(0);
    WhenZero = Compare->getPredicate() == ICmpInst::ICMP_EQ;
  }
  const Value *Wide;
  if (match(Tested, m_ZExt(m_Value(Wide))))
    Tested = Wide;
  // The one bit of a bool.
  if ((match(Tested, m_Trunc(m_Value(Wide))) &&
       Tested->getType()->isIntegerTy(1)) ||
      match(Tested, m_And(m_Value(Wide), m_One())))
    Tested = Wide;
  return dyn_cast<LoadInst>(Tested);
}

std::optional<OnceFlags::Test> OnceFlags::findTest(const BasicBlock &BB) {
  const auto *Branch = dyn_cast_or_null<BranchInst>(BB.getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return std::nullopt;
  bool WhenZero;
  const LoadInst *Load = findLoad(Branch->getCondition(), WhenZero);
  if (!Load)
    return std::nullopt;
  ObjectPlace Flag =
      placeOf(Load->getPointerOperand(), BB.getModule()->getDataLayout());
  if (!Flag)
    return std::nullopt;
  return Test{&BB, Branch->getSuccessor(WhenZero ? 0 : 1), Flag};
}

/// By storing something else than zero, or by a callee that is given it.
bool OnceFlags::maySet(const Instruction &I, ObjectPlace Flag) {
  const DataLayout &DL = I.getModule()->getDataLayout();
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return !match(Store->getValueOperand(), m_Zero()) &&
           placeOf(Store->getPointerOperand(), DL) == Flag;
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return placeOf(RMW->getPointerOperand(), DL) == Flag;
  if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return placeOf(Exchange->getPointerOperand(), DL) == Flag;
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && any_of(Call->args(), [&](const Value *Given) {
           return Given->getType()->isPointerTy() && placeOf(Given, DL) == Flag;
         });
}

OnceFlags::OnceFlags(const Function &F) {
  SmallVector<Test, 8> Tests;
  for (const BasicBlock &BB : F)
    if (auto Found = findTest(BB); Found && Tests.size() != MostTests)
      Tests.push_back(*Found);
  if (Tests.empty())
    return;
  for (const Test &T : Tests)
    if (T.IfUnset->getSinglePredecessor())
      Next.try_emplace(T.IfUnset, T.Flag);

  std::optional<DominatorTree> Dominators;
  for (const Test &T : Tests) {
    SmallVector<const BasicBlock *, 4> Setters;
    for (const Instruction &I : instructions(F))
      if (maySet(I, T.Flag))
        Setters.push_back(I.getParent());
    if (Setters.empty())
      continue;
    if (!Dominators)
      Dominators.emplace(const_cast<Function &>(F));
    BasicBlockEdge Edge(T.Block, T.IfUnset);
    auto IsBehind = [&](const BasicBlock *BB) {
      return Dominators->dominates(Edge, BB);
    };
    if (none_of(Setters, IsBehind))
      continue;
    for (const BasicBlock &BB : F)
      if (IsBehind(&BB))
        Behind.try_emplace(&BB, T.Flag);
  }
}

ObjectPlace OnceFlags::at(const Instruction &I) const {
  return Behind.lookup(I.getParent());
}

ObjectPlace OnceFlags::ofCall(const Instruction &I) const {
  ObjectPlace Flag = at(I);
  return Flag ? Flag : Next.lookup(I.getParent());
}
