// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test and the store behind it are in two blocks, of which the second has no
// other way in. In each, registers are followed from instruction to
// instruction.

#include "ValueGuards.h"
#include "linesman/Facts/Shares.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::input {

namespace {

/// A register, or a number.
struct Operand {
  Register Source = UnknownRegister;
  int64_t Number = 0;

  friend bool operator==(const Operand &, const Operand &) = default;
};

bool changes(const Step &S, Register R) {
  return (definesDst(S.Kind) && S.Dst == R) ||
         (R < MostRegisters && S.Clobbers >> R & 1);
}

class GuardFinder {
public:
  GuardFinder(ArrayRef<Step> Steps, const ControlFlow &Flow, FoundFacts &Found)
      : Steps(Steps), Flow(Flow), Found(Found) {}

  void find() {
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I) {
      const Block &B = Flow.Blocks[I];
      if (B.First == B.Last || B.Successors.size() != 2)
        continue;
      const Step &Branch = Steps[B.Last - 1];
      if (Branch.Kind != StepKind::Branch)
        continue;
      // Behind an order, what is kept is the least or the most.
      if (Branch.If == Condition::Other) {
        lookBehind(B, B.Successors[0]);
        lookBehind(B, B.Successors[1]);
        continue;
      }
      // The first successor of a branch is its target (ControlFlow.cpp).
      lookBehind(B, B.Successors[Branch.If == Condition::Zero]);
    }
  }

private:
  ArrayRef<Step> Steps;
  const ControlFlow &Flow;
  FoundFacts &Found;

  void lookBehind(const Block &Test, uint32_t Store) {
    if (Flow.Blocks[Store].Predecessors.size() == 1 &&
        !Flow.Blocks[Store].IsRoot)
      lookAt(Test, Store);
  }

  void lookAt(const Block &B, uint32_t IfOther) {
    for (uint32_t I = B.Last; I-- != B.First;) {
      const Step &S = Steps[I];
      if (S.Kind == StepKind::Test)
        return;
      if (S.Kind == StepKind::CompareValue) {
        Operand Partner = {S.Src, S.Src == NoRegister ? S.Immediate : 0};
        if (S.Dst == NoRegister)
          lowerStores(readAt(S.Offset), Partner, IfOther);
        else
          lookAt(B, I, {S.Dst}, Partner, IfOther);
        return;
      }
      if (S.Kind == StepKind::Compare) {
        if (S.Spot.Index != NoRegister || S.Spot.IsAddress ||
            (S.Spot.Base != NoRegister && S.Spot.Disp))
          return;
        lookAt(B, I, {S.Dst}, {S.Spot.Base, S.Spot.Disp}, IfOther);
        return;
      }
    }
  }

  /// Of two operands of the comparison at \p Position one may be what was read.
  void lookAt(const Block &B, uint32_t Position, Operand A, Operand Partner,
              uint32_t IfOther) {
    lowerStores(readInto(B, Position, A.Source), Partner, IfOther);
    if (Partner.Source != NoRegister)
      lowerStores(readInto(B, Position, Partner.Source), A, IfOther);
  }

  /// What the register holds that was read in the block, by its address.
  std::optional<uint64_t> readInto(const Block &B, uint32_t Before,
                                   Register R) const {
    if (R >= MostRegisters)
      return std::nullopt;
    for (uint32_t I = Before; I-- != B.First;) {
      const Step &S = Steps[I];
      if (S.Kind == StepKind::Access && S.Dst == R)
        return readAt(S.Offset);
      // The other steps of a load come behind the one that reads.
      bool IsLoads = I != B.First && Steps[I - 1].Offset == S.Offset;
      if (changes(S, R) && !IsLoads)
        return std::nullopt;
    }
    return std::nullopt;
  }

  /// The only address that the instruction reads at.
  std::optional<uint64_t> readAt(uint32_t Offset) const {
    std::optional<uint64_t> Only;
    for (const FoundAccess &A : Found.Accesses) {
      if (A.Offset != Offset)
        continue;
      if (Only || A.IsSomewhere || A.Kind != facts::AccessKind::Read)
        return std::nullopt;
      Only = A.Address;
    }
    return Only;
  }

  void lowerStores(std::optional<uint64_t> Address, Operand New,
                   uint32_t IfOther) {
    if (!Address || New.Source == UnknownRegister)
      return;
    const Block &B = Flow.Blocks[IfOther];
    for (FoundAccess &A : Found.Accesses)
      if (A.Block == IfOther && !A.IsSomewhere && A.Address == *Address &&
          A.Kind == facts::AccessKind::Write && stores(B, A.Offset, New))
        A.Weight *= facts::ChangeShare;
  }

  /// Whether the instruction stores what the operand was at the block's start.
  bool stores(const Block &B, uint32_t Offset, Operand Wanted) const {
    for (const Step &S : Steps.slice(B.First, B.Last - B.First)) {
      if (S.Offset == Offset && S.Kind == StepKind::Access &&
          S.Access == facts::AccessKind::Write)
        return Wanted ==
               Operand{S.Src, S.Src == NoRegister ? int64_t(S.Immediate) : 0};
      if (Wanted.Source != NoRegister && changes(S, Wanted.Source))
        return false;
    }
    return false;
  }
};

} // namespace

void weighChanges(ArrayRef<Step> Steps, const ControlFlow &Flow,
                  FoundFacts &Found) {
  if (any_of(Found.Accesses, [](const FoundAccess &A) {
        return A.Kind == facts::AccessKind::Write;
      }))
    GuardFinder(Steps, Flow, Found).find();
}

} // namespace linesman::input
