// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices, by bounded walks over their operands. Scalar evolution would know
// more, and costs more than all the rest of the pass.

#include "Strides.h"
#include "linesman/Facts/KnownThreads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <bit>
#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace linesman::facts;

/// Operands in each other.
static constexpr unsigned MostSteps = 8;

/// The largest number that \p V is known to be a multiple of; 0 for zero.
static uint64_t multipleOf(const Value *V, unsigned Steps = 0) {
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getBitWidth() <= 64 ? C->getValue().abs().getZExtValue() : 1;
  const auto *I = dyn_cast<Operator>(V);
  if (!I || Steps >= MostSteps)
    return 1;
  auto Multiple = [&](unsigned Operand) {
    return multipleOf(I->getOperand(Operand), Steps + 1);
  };
  switch (I->getOpcode()) {
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Freeze:
    return Multiple(0);
  case Instruction::Trunc: {
    // What is cut off is a multiple of a power of two.
    uint64_t Whole = Multiple(0);
    return Whole & -Whole;
  }
  case Instruction::Mul: {
    uint64_t A = Multiple(0), B = Multiple(1);
    return A < (1u << 20) && B < (1u << 20) ? A * B : 1;
  }
  case Instruction::Shl:
    if (const auto *Amount = dyn_cast<ConstantInt>(I->getOperand(1));
        Amount && Amount->getZExtValue() < 20 && Multiple(0) < (1u << 20))
      return Multiple(0) << Amount->getZExtValue();
    return 1;
  case Instruction::And:
  case Instruction::Or: {
    uint64_t A = Multiple(0), B = Multiple(1);
    if (I->getOpcode() == Instruction::And)
      return std::max(A & -A, B & -B);
    return std::gcd(A & -A, B & -B);
  }
  case Instruction::Add:
  case Instruction::Sub:
    return std::gcd(Multiple(0), Multiple(1));
  case Instruction::Select:
    return std::gcd(Multiple(1), Multiple(2));
  case Instruction::PHI: {
    // An induction variable: its steps are operands of an Add of itself.
    const auto *Phi = cast<PHINode>(V);
    if (Phi->getNumIncomingValues() > 4)
      return 1;
    uint64_t All = 0;
    for (const Value *Incoming : Phi->incoming_values()) {
      const auto *Add = dyn_cast<BinaryOperator>(Incoming);
      bool IsStep = Add && Add->getOpcode() == Instruction::Add &&
                    Add->getOperand(0) == Phi;
      All = std::gcd(
          All, multipleOf(IsStep ? Add->getOperand(1) : Incoming, Steps + 4));
    }
    return All;
  }
  default:
    return 1;
  }
}

/// Functions whose result differs from thread to thread.
static bool isThreadNumber(StringRef Callee) {
  return is_contained({"omp_get_thread_num", "gettid", "pthread_self",
                       "thrd_current", "sched_getcpu"},
                      Callee);
}

/// Whether threads start at \p F, with what differs between them: what follows
/// the function in the call is not one address for all.
static bool isEntry(const Function &F) {
  if (F.getName().starts_with("_ZNSt6thread11_State_implI"))
    return true;
  for (const Use &U : F.uses())
    if (const auto *Call = dyn_cast<CallBase>(U.getUser()))
      if (const Function *Callee = Call->getCalledFunction();
          Callee && Call->isArgOperand(&U))
        if (auto Start = startedBy(Callee->getName());
            Start && !Start->IsTeam &&
            Start->Argument == Call->getArgOperandNo(&U) &&
            Start->Argument + 1 < Call->arg_size() &&
            !isa<GlobalValue, ConstantPointerNull>(
                Call->getArgOperand(Start->Argument + 1)
                    ->stripInBoundsConstantOffsets()))
          return true;
  return false;
}

/// Whether a value is what the thread was started with, or of its own.
static bool isOfThread(const Value *V, unsigned Steps = 0) {
  if (isa<ConstantInt>(V))
    return true;
  if (Steps == MostSteps)
    return false;
  auto IsThreads = [&](const Value *Operand) {
    return isOfThread(Operand, Steps + 1);
  };
  if (const auto *A = dyn_cast<Argument>(V))
    return isEntry(*A->getParent());
  if (const auto *Load = dyn_cast<LoadInst>(V)) {
    const Value *Source = Load->getPointerOperand()->stripInBoundsOffsets();
    if (const auto *Call = dyn_cast<IntrinsicInst>(Source))
      return Call->getIntrinsicID() == Intrinsic::threadlocal_address;
    if (const auto *GV = dyn_cast<GlobalVariable>(Source))
      return GV->isThreadLocal();
    // A variable that is set once, as at -O0.
    if (const auto *Slot = dyn_cast<AllocaInst>(Load->getPointerOperand())) {
      const StoreInst *Only = nullptr;
      for (const User *U : Slot->users())
        if (const auto *Store = dyn_cast<StoreInst>(U)) {
          if (Only || Store->getValueOperand() == Slot)
            return false;
          Only = Store;
        } else if (!isa<LoadInst>(U)) {
          return false;
        }
      return Only && IsThreads(Only->getValueOperand());
    }
    // A member of what the thread was given.
    const auto *A = dyn_cast<Argument>(Source);
    return A && isEntry(*A->getParent());
  }
  if (const auto *Call = dyn_cast<CallBase>(V)) {
    const Function *Callee = Call->getCalledFunction();
    return Callee && isThreadNumber(Callee->getName());
  }
  const auto *I = dyn_cast<Operator>(V);
  if (!I)
    return false;
  switch (I->getOpcode()) {
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::Freeze:
  case Instruction::PtrToInt:
    return IsThreads(I->getOperand(0));
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
    return IsThreads(I->getOperand(0)) && IsThreads(I->getOperand(1));
  default:
    return false;
  }
}

Distance linesman::facts::addMultiple(Distance Start, uint64_t Bytes,
                                      bool IsByThread) {
  if (Bytes == 0)
    return Start;
  Start.IsByThread = IsByThread && (Start.isConstant() || Start.IsByThread);
  Start.Stride = std::gcd(Start.Stride, Bytes);
  return Start;
}

Distance linesman::facts::addIndices(const GEPOperator &GEP, Distance Start,
                                     const DataLayout &DL) {
  unsigned Bits = DL.getIndexTypeSizeInBits(GEP.getType());
  IndexMap Variables;
  APInt Constant(Bits, 0);
  if (!GEP.collectOffset(DL, Bits, Variables, Constant))
    return addMultiple(Start, 1, false);
  Start.Constant += Constant.getSExtValue();
  for (auto [Index, Scale] : Variables) {
    // An index may hide a constant: table[id * 8 + 1].
    Value *Rest;
    const APInt *Added;
    if (match(Index, m_AddLike(m_Value(Rest), m_APInt(Added))) &&
        Added->getBitWidth() == Bits) {
      Start.Constant += (*Added * Scale).getSExtValue();
      Index = Rest;
    }
    uint64_t Bytes = Scale.abs().getZExtValue();
    Start = addMultiple(Start, Bytes * std::max<uint64_t>(multipleOf(Index), 1),
                        isOfThread(Index));
  }
  return Start;
}
