// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward data flow of the locks that are held. Where ways join, a lock counts
// as certain if each of them has it, and as possible if one has. A lock that is
// left and not known is one of those that were taken without being known, if
// there are any, and otherwise perhaps each of those that are.

#include "HeldLocks.h"
#include "LockCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace linesman::facts;

/// Locks in each other that are counted.
static constexpr uint32_t MostHeld = 3;

HeldLocks::HeldLocks(const Function &F, const LockCallees &Callees) {
  findChanges(F, Callees);
  if (Changes.empty() && Waits.empty())
    return;
  if (solve(F, 0))
    solve(F, 1);
  for (const auto &[BB, InBlock] : Changes)
    if (AtStart.contains(BB))
      for (const Change &C : InBlock)
        if (C.Use == LockUse::Takes && C.Lock)
          Takes.push_back({C.I, C.Lock});
  for (const Instruction *Wait : Waits) {
    // Who has waited has taken it again.
    if (ObjectPlace Lock = at(*Wait).Lock)
      Takes.push_back({Wait, Lock});
    else
      LeavesCallers = true;
  }
}

/// The lock that a pointer means: an object with static storage, and nothing
/// else; or what such an object points to, which goes by the pointer's place.
static ObjectPlace resolveLock(const Value *Pointer, const DataLayout &DL) {
  if (!Pointer || !Pointer->getType()->isPointerTy())
    return {};
  if (const auto *Load = dyn_cast<LoadInst>(Pointer->stripPointerCasts()))
    Pointer = Load->getPointerOperand();
  Bases Pointers = resolveBases(Pointer, DL);
  if (Pointers.Known.size() != 1 || Pointers.Alternatives != 1 ||
      !Pointers.Known[0].Offset || Pointers.Known[0].IsMay)
    return {};
  return {Pointers.Known[0].Object, *Pointers.Known[0].Offset};
}

void HeldLocks::findChanges(const Function &F, const LockCallees &Callees) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  // The locks of guards that are objects still.
  DenseMap<const Value *, ObjectPlace> GuardedBy;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    std::optional<LockCall> Known = Callees.find(*Call);
    if (!Known)
      continue;
    if (Known->Waits) {
      Waits.push_back(&I);
      continue;
    }
    ObjectPlace Lock;
    if (Known->Guard) {
      const Value *Guard = Known->Guard->stripPointerCasts();
      if (Known->Lock)
        GuardedBy[Guard] = resolveLock(Known->Lock, DL);
      auto It = GuardedBy.find(Guard);
      // It was made elsewhere, or is no guard at all.
      if (It == GuardedBy.end())
        continue;
      Lock = It->second;
    } else {
      Lock = resolveLock(Known->Lock, DL);
    }
    if (Known->Use == LockUse::None)
      continue;
    if (Known->Use == LockUse::Takes && !Known->HoldsAlone)
      Lock = {};
    Changes[I.getParent()].push_back({&I, Known->Use, Lock});
  }
}

bool HeldLocks::apply(const Change &C, Locks &Held) {
  if (C.Use == LockUse::Takes) {
    Held.Perhaps = std::min(Held.Perhaps + 1, MostHeld);
    if (!C.Lock)
      Held.Others = std::min(Held.Others + 1, MostHeld);
    else if (!is_contained(Held.Known, C.Lock))
      Held.Known.push_back(C.Lock);
    return false;
  }
  bool IsCallers = Held.Perhaps == 0;
  if (Held.Perhaps)
    --Held.Perhaps;
  if (auto *It = find(Held.Known, C.Lock); C.Lock && It != Held.Known.end())
    Held.Known.erase(It);
  else if (Held.Others)
    --Held.Others;
  else if (!C.Lock)
    Held.Known.clear();
  return IsCallers;
}

bool HeldLocks::solve(const Function &F, uint32_t PerhapsAtEntry) {
  AtStart.clear();
  const BasicBlock *Entry = &F.getEntryBlock();
  AtStart[Entry].Perhaps = PerhapsAtEntry;
  SmallVector<const BasicBlock *, 32> Worklist{Entry};
  bool IsCallers = false;
  while (!Worklist.empty()) {
    const BasicBlock *BB = Worklist.pop_back_val();
    Locks Held = AtStart.lookup(BB);
    if (auto It = Changes.find(BB); It != Changes.end())
      for (const Change &C : It->second)
        IsCallers |= apply(C, Held);
    for (const BasicBlock *Next : successors(BB)) {
      auto [It, IsNew] = AtStart.try_emplace(Next, Held);
      if (IsNew) {
        Worklist.push_back(Next);
        continue;
      }
      Locks &Other = It->second;
      Locks Common = Other;
      erase_if(Common.Known, [&](const ObjectPlace &Lock) {
        return !is_contained(Held.Known, Lock);
      });
      Common.Others = std::min(Held.Others, Other.Others);
      Common.Perhaps = std::max(Held.Perhaps, Other.Perhaps);
      if (Common == Other)
        continue;
      Other = Common;
      Worklist.push_back(Next);
    }
  }
  LeavesCallers |= IsCallers;
  return IsCallers;
}

LockState HeldLocks::at(const Instruction &I) const {
  auto Entry = AtStart.find(I.getParent());
  if (Entry == AtStart.end())
    return {};
  Locks Held = Entry->second;
  if (auto It = Changes.find(I.getParent()); It != Changes.end())
    for (const Change &C : It->second) {
      if (C.I == &I || !C.I->comesBefore(&I))
        break;
      apply(C, Held);
    }
  return {Held.Perhaps > 0,
          Held.Known.empty() ? ObjectPlace() : Held.Known.front()};
}
