// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OwnFlags.h"
#include "FlagWays.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace linesman::facts;

namespace {

/// Flags of one function that are looked at, uses of one variable, and
/// functions that store to one.
constexpr size_t MostFlags = 64, MostUses = 256, MostWriters = 32;

/// A part of a thread-local variable; no variable where it is none.
using OwnPlace = std::pair<const GlobalVariable *, int64_t>;

OwnPlace ownPlaceOf(const Value *Pointer, const DataLayout &DL) {
  int64_t Offset = 0;
  const Value *Base = GetPointerBaseWithConstantOffset(Pointer, Offset, DL);
  if (const auto *Own = dyn_cast<IntrinsicInst>(Base);
      Own && Own->getIntrinsicID() == Intrinsic::threadlocal_address)
    Base = Own->getArgOperand(0);
  const auto *Variable = dyn_cast<GlobalVariable>(Base);
  if (!Variable || !Variable->isThreadLocal())
    return {};
  return {Variable, Offset};
}

/// What a flag is until it is set: a number, or anything else.
struct OwnFlag {
  OwnPlace Place;
  const Constant *Number;
  bool IsNumber;

  bool operator<(const OwnFlag &Other) const {
    return std::tie(Place, Number, IsNumber) <
           std::tie(Other.Place, Other.Number, Other.IsNumber);
  }
};

using OwnTests =
    MapVector<OwnFlag, SmallVector<FlagWay, 2>, std::map<OwnFlag, unsigned>>;

bool isEqual(const Value *Stored, const Constant *Number) {
  return Stored == Number ||
         (match(Stored, m_Zero()) && match(Number, m_Zero()));
}

/// A block that ends with the question whether a variable is a number.
void addTest(const BasicBlock &BB, OwnTests &Tests) {
  const auto *Branch = dyn_cast_or_null<BranchInst>(BB.getTerminator());
  if (!Branch || !Branch->isConditional())
    return;
  const Value *Tested = Branch->getCondition(), *Wide;
  bool IfTrue = false; // a bool that was loaded is not zero
  const Constant *Number = nullptr;
  if (const auto *Compare = dyn_cast<ICmpInst>(Tested)) {
    Number = dyn_cast<Constant>(Compare->getOperand(1));
    if (!Compare->isEquality() || !Number)
      return;
    Tested = Compare->getOperand(0);
    IfTrue = Compare->getPredicate() == CmpInst::ICMP_EQ;
  }
  if (match(Tested, m_Trunc(m_Value(Wide))) ||
      match(Tested, m_ZExt(m_Value(Wide))))
    Tested = Wide;
  const auto *Load = dyn_cast<LoadInst>(Tested);
  OwnPlace Place = Load ? ownPlaceOf(Load->getPointerOperand(),
                                     BB.getModule()->getDataLayout())
                        : OwnPlace();
  if (!Place.first)
    return;
  if (!Number)
    Number = Constant::getNullValue(Load->getType());
  for (bool IsNumber : {true, false})
    Tests[{Place, Number, IsNumber}].push_back(
        {&BB, Branch->getSuccessor(IfTrue == IsNumber ? 0 : 1)});
}

/// Where a function sets a flag: to a constant, or to what is not known.
struct Setting {
  BlockSet Constants, Others;
};

/// By function; none where somebody takes the flag back.
using Settings = MapVector<const Function *, Setting>;

/// Whether a store depends on what was there.
bool isUpdate(const StoreInst &Store, OwnPlace Place, const DataLayout &DL) {
  const auto *Stored = dyn_cast<Instruction>(Store.getValueOperand());
  auto IsOld = [&](const Value *V) {
    const auto *Load = dyn_cast<LoadInst>(V);
    return Load && ownPlaceOf(Load->getPointerOperand(), DL) == Place;
  };
  return Stored && (IsOld(Stored) || any_of(Stored->operands(), IsOld));
}

Settings findSettings(const OwnFlag &Flag) {
  const DataLayout &DL = Flag.Place.first->getDataLayout();
  Settings Found;
  SmallVector<const User *, 16> Users(Flag.Place.first->users());
  for (size_t I = 0; I != Users.size(); ++I) {
    if (I == MostUses)
      return Settings();
    const auto *Store = dyn_cast<StoreInst>(Users[I]);
    if (!Store) {
      if (isa<GEPOperator, IntrinsicInst>(Users[I]))
        append_range(Users, Users[I]->users());
      continue;
    }
    if (ownPlaceOf(Store->getPointerOperand(), DL) != Flag.Place)
      continue;
    const Value *Stored = Store->getValueOperand();
    if (isEqual(Stored, Flag.Number) == Flag.IsNumber ||
        isUpdate(*Store, Flag.Place, DL))
      return Settings();
    Setting &Sets = Found[Store->getFunction()];
    (isa<Constant>(Stored) ? Sets.Constants : Sets.Others)
        .insert(Store->getParent());
  }
  return Found.size() <= MostWriters ? Found : Settings();
}

OwnTests findTests(const Function &F) {
  OwnTests Tests;
  for (const BasicBlock &BB : F)
    if (Tests.size() < MostFlags)
      addTest(BB, Tests);
  return Tests;
}

bool areBehind(const BlockSet &Places, const BlockSet &Reached) {
  return none_of(Places,
                 [&](const BasicBlock *BB) { return Reached.contains(BB); });
}

/// The blocks of \p F that set a flag, by themselves or by a function of the
/// module that they call. None where what is not known is stored elsewhere than
/// behind the flag's tests, in any function: the next of a list that the thread
/// takes from, say.
BlockSet findSetters(const Function &F, const OwnFlag &Flag,
                     const Settings &Found, const BlockSet &Reached) {
  DenseMap<const Function *, BlockSet> Calls;
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (const Function *Callee = Call->getCalledFunction();
          Callee && Callee != &F && Found.contains(Callee))
        Calls[Callee].insert(I.getParent());
  BlockSet Setters;
  for (const auto &[Writer, Sets] : Found) {
    if (Writer == &F) {
      if (!areBehind(Sets.Others, Reached))
        return BlockSet();
      Setters.insert(Sets.Others.begin(), Sets.Others.end());
      Setters.insert(Sets.Constants.begin(), Sets.Constants.end());
      continue;
    }
    const BlockSet &Called = Calls[Writer];
    const bool IsCalledBehind = !Called.empty() && areBehind(Called, Reached);
    if (!Sets.Others.empty() && !IsCalledBehind &&
        !areBehind(Sets.Others,
                   reachWithout(*Writer, findTests(*Writer).lookup(Flag))))
      return BlockSet();
    Setters.insert(Called.begin(), Called.end());
  }
  return Setters;
}

} // namespace

void linesman::facts::visitOwnOnce(
    const Function &F, function_ref<void(const BasicBlock &)> Visit) {
  for (const auto &[Flag, Ways] : findTests(F)) {
    const Settings Found = findSettings(Flag);
    if (Found.empty())
      continue;
    const BlockSet Reached = reachWithout(F, Ways);
    const BlockSet Setters = findSetters(F, Flag, Found, Reached);
    auto VisitBehind = [&](const BasicBlock *BB) {
      if (!Reached.contains(BB))
        Visit(*BB);
    };
    for_each(Setters, VisitBehind);
    if (followUnset(Ways, Setters).alwaysSet())
      for_each(make_second_range(Ways), VisitBehind);
  }
}
