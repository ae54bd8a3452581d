// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a pointer to the objects that it may point into.
//
//     phi [ gep @a, 8 ], [ select c, @b, %arg ]
//         --> a at 8, b at 0, and one alternative that is not an object
//
// The walk is bounded: a pointer that needs more steps is rare, and the pass
// must not cost what nobody sees. What the budget cuts off counts as one
// alternative that is not an object.

#include "ModuleFacts.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace linesman::facts;

namespace {

using OptionalOffset = std::optional<int64_t>;

class Resolver {
public:
  explicit Resolver(const DataLayout &DL) : DL(DL) {}

  void resolve(const Value *V, OptionalOffset Offset);

  Bases Result;

private:
  void addObject(const GlobalValue &Object, OptionalOffset Offset);
  void resolvePhi(const PHINode &Phi, OptionalOffset Offset);

  const DataLayout &DL;
  unsigned StepsLeft = 32;
  /// The phis on the path from the access, and the offset that each was reached
  /// with.
  SmallVector<std::pair<const PHINode *, OptionalOffset>, 4> Path;
  /// A phi of the path that steps through its object: the offset of all that
  /// lies behind it is not constant.
  SmallPtrSet<const PHINode *, 4> Stepping;
};

/// The offset behind a GEP; nothing when an index is not constant.
OptionalOffset addGEP(const GEPOperator &GEP, OptionalOffset Offset,
                      const DataLayout &DL) {
  if (!Offset)
    return std::nullopt;
  APInt Delta(DL.getIndexTypeSizeInBits(GEP.getType()), 0);
  if (!GEP.accumulateConstantOffset(DL, Delta))
    return std::nullopt;
  return *Offset + Delta.getSExtValue();
}

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

void Resolver::resolve(const Value *V, OptionalOffset Offset) {
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
      Offset = addGEP(*GEP, Offset, DL);
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
      resolvePhi(*Phi, Offset);
      return;
    }
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
          if (Offset)
            Offset =
                Opcode == Instruction::Add ? *Offset + Delta : *Offset - Delta;
          V = Op->getOperand(0);
          continue;
        }
    }
    break;
  }
  ++Result.Alternatives;
}

void Resolver::addObject(const GlobalValue &Object, OptionalOffset Offset) {
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
  if (Offset && (*Offset < 0 || (Size != 0 && uint64_t(*Offset) >= Size)))
    Offset.reset();

  Base B{&Object, Offset ? std::optional<uint64_t>(*Offset) : std::nullopt};
  for (const Base &Known : Result.Known)
    if (Known.Object == B.Object && Known.Offset == B.Offset) {
      --Result.Alternatives;
      return;
    }
  Result.Known.push_back(B);
}

void Resolver::resolvePhi(const PHINode &Phi, OptionalOffset Offset) {
  for (const auto &[OnPath, EntryOffset] : Path)
    if (OnPath == &Phi) {
      // Round the loop: nothing new but the step.
      if (EntryOffset != Offset)
        Stepping.insert(&Phi);
      return;
    }

  size_t FirstBehind = Result.Known.size();
  Path.push_back({&Phi, Offset});
  for (const Value *Incoming : Phi.incoming_values())
    resolve(Incoming, Offset);
  Path.pop_back();
  if (!Stepping.contains(&Phi))
    return;

  // The same object at several offsets becomes one place that is not constant.
  SmallVector<Base, 4> Behind(Result.Known.begin() + FirstBehind,
                              Result.Known.end());
  Result.Known.truncate(FirstBehind);
  Result.Alternatives -= Behind.size();
  for (const Base &B : Behind)
    addObject(*B.Object, std::nullopt);
}

} // namespace

Bases linesman::facts::resolveBases(const Value *Pointer,
                                    const DataLayout &DL) {
  Resolver R(DL);
  R.resolve(Pointer, 0);
  return std::move(R.Result);
}

const GlobalVariable *linesman::facts::getVariable(const GlobalValue &Object) {
  return dyn_cast_or_null<GlobalVariable>(Object.getAliaseeObject());
}
