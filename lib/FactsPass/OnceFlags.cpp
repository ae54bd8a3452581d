// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is reached only through the tests of a flag is behind it.

#include "OnceFlags.h"
#include "linesman/Facts/FlagForm.h"
#include "linesman/Facts/KnownThreads.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace linesman::facts;

/// Tests of one function that are looked at, two for each question: for each
/// flag that is set the function is walked once.
static constexpr size_t MostTests = 128;

/// Uses of one variable that are looked at.
static constexpr size_t MostUses = 256;

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

/// What a part of a variable is when the program starts, if one may know.
static const Constant *initialAt(ObjectPlace Part, Type &Type,
                                 const DataLayout &DL) {
  const auto *Variable = cast<GlobalVariable>(Part.Object);
  return Variable->hasDefinitiveInitializer()
             ? ConstantFoldLoadFromConst(
                   const_cast<Constant *>(Variable->getInitializer()), &Type,
                   APInt(DL.getIndexTypeSizeInBits(Variable->getType()),
                         Part.Offset),
                   DL)
             : nullptr;
}

/// Where control goes while a variable is what it began with, if that is not
/// zero: `n == -1`, `n < 0` where n was -1, `site == &unknown`. No object where
/// a condition asks for something else; \p IfTrue says which way that is.
static ObjectPlace findInitialTest(const ICmpInst &Compare, bool &IfTrue,
                                   const DataLayout &DL) {
  const Value *Right = Compare.getOperand(1);
  const auto *Load = dyn_cast<LoadInst>(Compare.getOperand(0));
  if (!Load || !isa<Constant>(Right))
    return {};
  ObjectPlace Flag = placeOf(Load->getPointerOperand(), DL);
  if (!Flag)
    return {};
  const Constant *Initial = initialAt(Flag, *Load->getType(), DL);
  const CmpInst::Predicate Is = Compare.getPredicate();
  const bool IsMinus = match(Right, m_AllOnes());
  if (Compare.isEquality() &&
      (IsMinus || (Initial == Right && !match(Right, m_Zero())))) {
    IfTrue = Is == CmpInst::ICMP_EQ;
    Flag.Offset = IsMinus ? FlagForm::minusAt(Flag.Offset)
                          : FlagForm::initialAt(Flag.Offset);
    return Flag;
  }
  const bool AsksForLess = Is == CmpInst::ICMP_SLT && match(Right, m_Zero());
  if (!Initial || !match(Initial, m_AllOnes()) ||
      !(AsksForLess || (Is == CmpInst::ICMP_SGT && IsMinus)))
    return {};
  IfTrue = AsksForLess;
  Flag.Offset = FlagForm::minusAt(Flag.Offset);
  return Flag;
}

void OnceFlags::findTests(const BasicBlock &BB, SmallVectorImpl<Test> &Tests) {
  const auto *Branch = dyn_cast_or_null<BranchInst>(BB.getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return;
  const DataLayout &DL = BB.getModule()->getDataLayout();
  bool IfTrue;
  if (const auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition()))
    if (ObjectPlace Flag = findInitialTest(*Compare, IfTrue, DL)) {
      Tests.push_back({&BB, Branch->getSuccessor(IfTrue ? 0 : 1), Flag});
      return;
    }
  bool WhenZero;
  const LoadInst *Load = findLoad(Branch->getCondition(), WhenZero);
  if (!Load)
    return;
  ObjectPlace Flag = placeOf(Load->getPointerOperand(), DL);
  if (!Flag)
    return;
  Tests.push_back({&BB, Branch->getSuccessor(WhenZero ? 0 : 1), Flag});
  Flag.Offset = FlagForm::firstAt(Flag.Offset);
  Tests.push_back({&BB, Branch->getSuccessor(WhenZero ? 1 : 0), Flag});
}

/// Whether a store leaves a flag set. What is not known may be anything.
static bool leavesSet(const StoreInst &Store, ObjectPlace Flag,
                      const DataLayout &DL) {
  const Value *Stored = Store.getValueOperand();
  if (FlagForm::isInitial(Flag.Offset)) {
    Flag.Offset = FlagForm::addressOf(Flag.Offset);
    return Stored != initialAt(Flag, *Stored->getType(), DL);
  }
  const auto *Number = dyn_cast<ConstantInt>(Stored);
  if (match(Stored, m_Zero()) || (Number && Number->getBitWidth() <= 64))
    return FlagForm::isSetBy(Flag.Offset, Number ? Number->getZExtValue() : 0,
                             DL.getTypeStoreSize(Stored->getType()));
  return !FlagForm::isFirst(Flag.Offset);
}

/// Whether \p Pointer is to the flag.
static bool isAt(const Value *Pointer, ObjectPlace Flag, const DataLayout &DL) {
  Flag.Offset = FlagForm::addressOf(Flag.Offset);
  return placeOf(Pointer, DL) == Flag;
}

/// By a store, or by a callee that is given it; a flag of the form `if (first)`
/// by a store of zero alone.
bool OnceFlags::maySet(const Instruction &I, ObjectPlace Flag) {
  const DataLayout &DL = I.getModule()->getDataLayout();
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return leavesSet(*Store, Flag, DL) &&
           isAt(Store->getPointerOperand(), Flag, DL);
  if (FlagForm::isFirst(Flag.Offset))
    return false;
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return isAt(RMW->getPointerOperand(), Flag, DL);
  if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return isAt(Exchange->getPointerOperand(), Flag, DL);
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && any_of(Call->args(), [&](const Value *Given) {
           return Given->getType()->isPointerTy() && isAt(Given, Flag, DL);
         });
}

/// Whether any function of the module opens the door again. A state that
/// changes to and fro looks like a flag that is set by a zero.
static bool isCleared(ObjectPlace Flag) {
  if (FlagForm::isFirst(Flag.Offset))
    return true;
  const DataLayout &DL = Flag.Object->getParent()->getDataLayout();
  SmallVector<const User *, 16> Users(Flag.Object->users());
  for (size_t I = 0; I != Users.size() && I != MostUses; ++I) {
    if (isa<GEPOperator>(Users[I]))
      append_range(Users, Users[I]->users());
    else if (const auto *Store = dyn_cast<StoreInst>(Users[I]);
             Store && !leavesSet(*Store, Flag, DL) &&
             isAt(Store->getPointerOperand(), Flag, DL))
      return true;
  }
  return false;
}

void OnceFlags::group(ArrayRef<Test> Tests, SmallVectorImpl<Tested> &Flags) {
  for (const Test &T : Tests) {
    auto Known =
        find_if(Flags, [&](const Tested &F) { return F.Flag == T.Flag; });
    if (Known == Flags.end())
      Known = &Flags.emplace_back(Tested{T.Flag, {}});
    Known->Ways.push_back({T.Block, T.IfUnset});
  }
  if (Flags.size() > 1)
    std::stable_partition(Flags.begin(), Flags.end(),
                          [](const Tested &F) { return !isCleared(F.Flag); });
}

static const CallBase *waitIn(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && waitsForCondition(Callee->getName()) ? Call : nullptr;
}

/// The successors of a block; behind a wait's error check, those of success.
static SmallVector<const BasicBlock *, 2>
successorsOfSuccess(const BasicBlock &BB) {
  const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  const auto *Compare = Branch && Branch->isConditional()
                            ? dyn_cast<ICmpInst>(Branch->getCondition())
                            : nullptr;
  const auto *Asked =
      Compare ? dyn_cast<Instruction>(Compare->getOperand(0)) : nullptr;
  if (Asked && waitIn(*Asked) && Compare->isEquality() &&
      match(Compare->getOperand(1), m_Zero()))
    return {Branch->getSuccessor(
        Compare->getPredicate() == ICmpInst::ICMP_EQ ? 0 : 1)};
  return SmallVector<const BasicBlock *, 2>(successors(&BB));
}

/// while (!started) pthread_cond_wait(...): the waits, if all that is done
/// while the flag is not set is to wait and to test it again; none where more
/// is done. Another thread sets the flag, and later tests do not wait any more.
static SmallVector<const Instruction *, 1>
findAwaiting(ArrayRef<FlagWay> Ways) {
  constexpr size_t MostBlocks = 16;
  SmallVector<const BasicBlock *, 8> Turn;
  SmallVector<const Instruction *, 1> Waits;
  auto Enter = [&](const BasicBlock *BB) {
    if (!is_contained(Turn, BB))
      Turn.push_back(BB);
  };
  for (const auto &[Test, IfUnset] : Ways)
    Enter(IfUnset);
  for (size_t I = 0; I != Turn.size(); ++I) {
    const BasicBlock &BB = *Turn[I];
    if (Turn.size() > MostBlocks || succ_empty(&BB))
      return {};
    for (const Instruction &One : BB)
      if (waitIn(One))
        Waits.push_back(&One);
      else if (!isa<IntrinsicInst>(One) &&
               (isa<CallBase>(One) || One.mayWriteToMemory()))
        return {};
    auto Asks =
        find_if(Ways, [&](const FlagWay &Way) { return Way.first == &BB; });
    if (Asks != Ways.end()) {
      Enter(Asks->second);
      continue;
    }
    for (const BasicBlock *Target : successorsOfSuccess(BB))
      if (!isa<UnreachableInst>(Target->getTerminator()))
        Enter(Target);
  }
  return Waits;
}

OnceFlags::OnceFlags(const Function &F) {
  SmallVector<Test, 8> Tests;
  for (const BasicBlock &BB : F)
    if (Tests.size() < MostTests)
      findTests(BB, Tests);
  if (Tests.empty())
    return;
  for (const Test &T : Tests)
    if (!FlagForm::isFirst(T.Flag.Offset) && T.IfUnset->getSinglePredecessor())
      Next.try_emplace(T.IfUnset, T.Flag);

  SmallVector<Tested, 8> Flags;
  group(Tests, Flags);
  // A block that sets a flag runs as often as that one.
  DenseMap<const BasicBlock *, SmallVector<ObjectPlace, 1>> Around;
  for (const Tested &T : Flags) {
    if (!FlagForm::isFirst(T.Flag.Offset))
      for (const Instruction *Wait : findAwaiting(T.Ways))
        Awaiting.try_emplace(Wait, T.Flag);
    BlockSet Setters;
    for (const Instruction &I : instructions(F))
      if (maySet(I, T.Flag))
        Setters.insert(I.getParent());
    if (Setters.empty())
      continue;
    const BlockSet Others = reachWithout(F, T.Ways);
    const UnsetWays Unset = followUnset(T.Ways, Setters);
    const bool IsFirst = FlagForm::isFirst(T.Flag.Offset);
    const bool IsAlwaysSet = !IsFirst && Unset.alwaysSet();
    if (!IsAlwaysSet && all_of(Setters, [&](const BasicBlock *BB) {
          return Others.contains(BB);
        }))
      continue;
    if (IsFirst && Unset.ComeBack)
      continue;
    for (const BasicBlock &BB : F)
      if (!Others.contains(&BB))
        (Setters.contains(&BB) ? Behind : Around)[&BB].push_back(T.Flag);
  }
  for (const auto &[BB, More] : Around)
    append_range(Behind[BB], More);
}

ObjectPlace OnceFlags::at(const Instruction &I) const {
  auto Flags = Behind.find(I.getParent());
  if (Flags == Behind.end())
    return Awaiting.lookup(&I);
  // What sets a flag is behind its own test, whatever else it is behind.
  auto Own =
      find_if(Flags->second, [&](ObjectPlace Flag) { return maySet(I, Flag); });
  return Own != Flags->second.end() ? *Own : Flags->second.front();
}

ObjectPlace OnceFlags::ofCall(const Instruction &I) const {
  ObjectPlace Flag = at(I);
  return Flag ? Flag : Next.lookup(I.getParent());
}
