// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a pointer to the objects that it may point into.
//
//     phi [ gep @a, 8 ], [ select c, @b, %arg ]
//         --> a at 8, b at 0, and one alternative that is not an object: %arg
//
// A stack slot that only keeps a pointer, as all variables do at -O0, is each
// pointer that is stored there. If there are several, which one it is when is
// not followed: they are what it may be.
//
// The walk is bounded: a pointer that needs more steps is rare, and the pass
// must not cost what nobody sees. What the budget cuts off counts as one
// alternative that is not an object.

#include "ModuleFacts.h"
#include "Strides.h"
#include "linesman/Facts/Pointers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <cstdlib>
#include <numeric>

using namespace llvm;
using namespace linesman::facts;

namespace {

std::optional<int64_t> constantOf(const Distance &Start) {
  return Start.isConstant() ? std::optional(Start.Constant) : std::nullopt;
}

class Resolver {
public:
  explicit Resolver(const DataLayout &DL) : DL(DL) {}

  void resolve(const Value *V, Distance Offset);

  Bases Result;

private:
  void addObject(const GlobalValue &Object, Distance Offset);
  void addRoot(const Value &V, Distance Offset);
  /// A phi, or a slot and what is stored there.
  void resolveJoin(const Value &Join, ArrayRef<const Value *> Incoming,
                   Distance Offset);
  bool resolveSlot(const LoadInst &Load, Distance Offset);

  const DataLayout &DL;
  unsigned StepsLeft = 32;
  bool IsMay = false;
  /// See Root.
  std::pair<const BasicBlock *, const BasicBlock *> Came;
  /// The joins on the path from the access, and the offset that each was
  /// reached with.
  SmallVector<std::pair<const Value *, Distance>, 4> Path;
  /// A join of the path that steps through its object, and by multiples of how
  /// many bytes: the offset of all that lies behind it is not constant.
  SmallDenseMap<const Value *, uint64_t, 4> Stepping;
};

/// The argument that a call returns; nullptr when it returns something else.
const Value *getReturned(const CallBase &Call) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call)) {
    // Clang launders pointers to objects with virtual functions.
    if (Intrinsic->isLaunderOrStripInvariantGroup())
      return Intrinsic->getArgOperand(0);
    // Returns its argument by attribute, but means this thread's copy of it.
    if (Intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address)
      return nullptr;
  }
  return Call.getReturnedArgOperand();
}

void Resolver::resolve(const Value *V, Distance Offset) {
  while (true) {
    if (StepsLeft == 0)
      break;
    --StepsLeft;

    if (const auto *GV = dyn_cast<GlobalVariable>(V)) {
      addObject(*GV, Offset);
      return;
    }
    // Nobody accesses memory through these.
    if (isa<ConstantPointerNull, UndefValue>(V))
      return;
    if (const auto *GEP = dyn_cast<GEPOperator>(V)) {
      Offset = addIndices(*GEP, Offset, DL);
      V = GEP->getPointerOperand();
      continue;
    }
    if (const auto *Alias = dyn_cast<GlobalAlias>(V)) {
      if (Alias->isInterposable()) {
        addObject(*Alias, Offset);
        return;
      }
      V = Alias->getAliasee();
      continue;
    }
    if (const auto *Phi = dyn_cast<PHINode>(V)) {
      SmallVector<const Value *, 4> Incoming(Phi->incoming_values());
      resolveJoin(*Phi, Incoming, Offset);
      return;
    }
    if (const auto *Load = dyn_cast<LoadInst>(V);
        Load && resolveSlot(*Load, Offset))
      return;
    if (const auto *Select = dyn_cast<SelectInst>(V)) {
      resolve(Select->getTrueValue(), Offset);
      V = Select->getFalseValue();
      continue;
    }
    if (const auto *Freeze = dyn_cast<FreezeInst>(V)) {
      V = Freeze->getOperand(0);
      continue;
    }
    if (const auto *Call = dyn_cast<CallBase>(V)) {
      const Value *Same = getReturned(*Call);
      if (!Same)
        break;
      V = Same;
      continue;
    }
    if (const auto *Op = dyn_cast<Operator>(V)) {
      unsigned Opcode = Op->getOpcode();
      if (Opcode == Instruction::BitCast ||
          Opcode == Instruction::AddrSpaceCast ||
          Opcode == Instruction::IntToPtr || Opcode == Instruction::PtrToInt) {
        V = Op->getOperand(0);
        continue;
      }
      // Address arithmetic on integers.
      if (Opcode == Instruction::Add || Opcode == Instruction::Sub)
        if (const auto *C = dyn_cast<ConstantInt>(Op->getOperand(1));
            C && C->getBitWidth() <= 64) {
          int64_t Delta = C->getSExtValue();
          Offset.Constant += Opcode == Instruction::Add ? Delta : -Delta;
          V = Op->getOperand(0);
          continue;
        }
    }
    break;
  }
  ++Result.Alternatives;
  if (isa<Argument, LoadInst, CallBase>(V))
    addRoot(*V, Offset);
}

void Resolver::addRoot(const Value &V, Distance Offset) {
  Root R{&V, constantOf(Offset), 0, 0, Offset.IsByThread, IsMay, Came};
  if (!R.Offset) {
    // In front of where the pointer points is an element, too.
    R.Stride = Offset.Stride;
    R.First = firstPlace(Offset.Constant, Offset.Stride);
  }
  for (const Root &Known : Result.Roots)
    if (Known.Base == R.Base && Known.Offset == R.Offset &&
        Known.Stride == R.Stride && Known.First == R.First &&
        Known.Came == Came)
      return;
  Result.Roots.push_back(R);
}

void Resolver::addObject(const GlobalValue &Object, Distance Offset) {
  ++Result.Alternatives;
  const GlobalVariable *GV = getVariable(Object);
  if (!GV || GV->isConstant() || Object.isThreadLocal() ||
      Object.getAddressSpace() != 0 || Object.getName().starts_with("llvm."))
    return;

  // Beyond the object's end is code that never runs, or a trick with a linker's
  // symbol: the object is named, the place is not. A declaration without a
  // bound (extern int table[]) has size 0.
  uint64_t Size = GV->getValueType()->isSized()
                      ? DL.getTypeAllocSize(GV->getValueType()).getFixedValue()
                      : 0;
  if (Offset.Constant < 0 || (Size != 0 && uint64_t(Offset.Constant) >= Size)) {
    // Before an array's first element may be where its index counts from 1.
    uint64_t Stride = Offset.isConstant() ? 1 : Offset.Stride;
    Offset = {Offset.Constant % int64_t(Stride), Stride, Offset.IsByThread};
    if (Offset.Constant < 0)
      Offset.Constant += Stride;
  }

  Base B{&Object, std::nullopt, Offset.Stride, 0, Offset.IsByThread, IsMay};
  if (Offset.isConstant())
    B.Offset = Offset.Constant;
  else
    B.First = Offset.Constant;
  for (const Base &Known : Result.Known)
    if (Known.Object == B.Object && Known.Offset == B.Offset &&
        Known.Stride == B.Stride && Known.First == B.First) {
      --Result.Alternatives;
      return;
    }
  Result.Known.push_back(B);
}

static Distance distanceTo(const Base &B) {
  if (B.Offset)
    return {int64_t(*B.Offset), 0, false};
  return {int64_t(B.First), B.Stride, B.IsByThread};
}

void Resolver::resolveJoin(const Value &Join, ArrayRef<const Value *> Incoming,
                           Distance Offset) {
  for (const auto &[OnPath, EntryOffset] : Path)
    if (OnPath == &Join) {
      // Round the loop: nothing new but the step.
      if (EntryOffset != Offset) {
        uint64_t Step = Offset.isConstant() && EntryOffset.isConstant()
                            ? std::abs(Offset.Constant - EntryOffset.Constant)
                            : 1;
        uint64_t &All = Stepping[&Join];
        All = std::gcd(All, Step);
      }
      return;
    }

  size_t FirstBehind = Result.Known.size(), FirstRoot = Result.Roots.size();
  Path.push_back({&Join, Offset});
  const auto *Phi = dyn_cast<PHINode>(&Join);
  auto CameBefore = Came;
  for (auto [I, V] : enumerate(Incoming)) {
    if (Phi)
      Came = {Phi->getIncomingBlock(I), Phi->getParent()};
    resolve(V, Offset);
  }
  Came = CameBefore;
  Path.pop_back();
  auto Step = Stepping.find(&Join);
  if (Step == Stepping.end())
    return;

  // The same object at several offsets becomes one place that is not constant.
  SmallVector<Base, 4> Behind(Result.Known.begin() + FirstBehind,
                              Result.Known.end());
  Result.Known.truncate(FirstBehind);
  Result.Alternatives -= Behind.size();
  for (const Base &B : Behind)
    addObject(*B.Object, addMultiple(distanceTo(B), Step->second, false));
  SmallVector<Root, 2> Roots(Result.Roots.begin() + FirstRoot,
                             Result.Roots.end());
  Result.Roots.truncate(FirstRoot);
  for (const Root &R : Roots) {
    Came = R.Came;
    addRoot(*R.Base, {0, 1, false});
  }
  Came = CameBefore;
}

/// The pointers that are stored into a slot; false where others may store, too.
static bool findStored(const AllocaInst &Slot,
                       SmallVectorImpl<const Value *> &Stored) {
  constexpr unsigned MostUsers = 256, MostStored = 8;
  if (!Slot.getAllocatedType()->isPointerTy())
    return false;
  unsigned Users = 0;
  for (const User *U : Slot.users()) {
    if (++Users > MostUsers)
      return false;
    if (const auto *Load = dyn_cast<LoadInst>(U)) {
      if (!Load->getType()->isPointerTy())
        return false;
    } else if (const auto *Store = dyn_cast<StoreInst>(U)) {
      const Value *V = Store->getValueOperand();
      if (V == &Slot || !V->getType()->isPointerTy())
        return false;
      // A null pointer is nothing that somebody uses.
      if (!isa<ConstantPointerNull>(V) && !is_contained(Stored, V))
        Stored.push_back(V);
    } else if (const auto *Call = dyn_cast<IntrinsicInst>(U);
               !Call || !Call->isLifetimeStartOrEnd()) {
      return false;
    }
  }
  return Stored.size() <= MostStored;
}

bool Resolver::resolveSlot(const LoadInst &Load, Distance Offset) {
  const auto *Slot = dyn_cast<AllocaInst>(Load.getPointerOperand());
  SmallVector<const Value *, 4> Stored;
  if (!Slot || !findStored(*Slot, Stored))
    return false;
  bool WasMay = IsMay;
  // A pointer that only steps is the one that it began as.
  IsMay |= Stored.size() > 1;
  resolveJoin(*Slot, Stored, Offset);
  IsMay = WasMay;
  return true;
}

} // namespace

Bases linesman::facts::resolveBases(const Value *Pointer,
                                    const DataLayout &DL) {
  Resolver R(DL);
  R.resolve(Pointer, Distance());
  return std::move(R.Result);
}

const GlobalVariable *linesman::facts::getVariable(const GlobalValue &Object) {
  return dyn_cast_or_null<GlobalVariable>(Object.getAliaseeObject());
}
