// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data flow's transfer function and its fixed point.

#include "RegisterFlow.h"
#include "RegisterValue.h"
#include "linesman/Facts/KnownCalls.h"
#include "llvm/ADT/PriorityQueue.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::input {

namespace {

/// Visits of one block until its registers are given up: the lattice is
/// finite, but nobody waits for corrupt code. Compiled code needs four.
constexpr unsigned MostVisits = 32;

class Follower {
public:
  Follower(ArrayRef<Step> Steps, const ControlFlow &Flow,
           const Architecture &For, const CodeMap &Map)
      : Steps(Steps), Flow(Flow), For(For), Map(Map),
        Registers(For.registers()) {}

  std::vector<FoundAccess> follow() {
    if (any_of(Steps, [&](const Step &S) { return formsAddress(S); })) {
      Values.resize(Flow.Blocks.size() * Registers);
      solve();
    }
    collect();
    return std::move(Found);
  }

private:
  ArrayRef<Step> Steps;
  const ControlFlow &Flow;
  const Architecture &For;
  const CodeMap &Map;
  const unsigned Registers;
  /// At the start of each block. Empty when no register ever holds an address:
  /// then only operands that are addresses themselves are of interest.
  std::vector<Value> Values;
  std::vector<Value> State;
  std::vector<FoundAccess> Found;

  bool formsAddress(const Step &S) const {
    switch (S.Kind) {
    case StepKind::Add:
    case StepKind::Select:
      // Not only data: a pointer may start one element outside of it.
      return S.At.IsAddress;
    case StepKind::Access:
      // table+800(%rax), where rax counts up from -800.
      return S.At.IsAddress &&
             (S.At.Base != NoRegister || S.At.Index != NoRegister);
    default:
      return false;
    }
  }

  Value valueOf(Register R) const {
    if (R == NoRegister)
      return Value::number(0);
    if (R >= Registers)
      return Value::unknown();
    return State[R];
  }

  Value evaluate(const Place &At) const {
    Value Base = valueOf(At.Base), Index = valueOf(At.Index);
    // lea rax, [rcx + rdx] does not say which of them is the base.
    if (At.Shift == 0 && Index.mayBeAddress() && !Base.mayBeAddress())
      std::swap(Base, Index);
    return Base.plus(At.Disp, At.IsAddress).plusIndex(Index, At.Shift);
  }

  void clobber(uint32_t Mask) {
    for (unsigned R = 0; R != Registers; ++R)
      if (Mask >> R & 1)
        State[R] = Value::unknown();
  }

  void transfer(const Step &S) {
    switch (S.Kind) {
    case StepKind::Clobber:
    case StepKind::Call:
    case StepKind::CallThrough:
      clobber(S.Clobbers);
      break;
    case StepKind::Add:
      State[S.Dst] = evaluate(S.At);
      break;
    case StepKind::Select:
      State[S.Dst].join(evaluate(S.At), JoinKind::Forward, Map);
      break;
    default:
      break;
    }
  }

  void enter(uint32_t Block) {
    if (Values.empty())
      State.assign(Registers, Value::unknown());
    else
      State.assign(Values.begin() + Block * Registers,
                   Values.begin() + (Block + 1) * Registers);
  }

  void solve() {
    std::vector<unsigned> Visits(Flow.Blocks.size());
    std::vector<bool> IsWaiting(Flow.Blocks.size());
    // Positions in reverse post-order, the first one first.
    PriorityQueue<uint32_t, std::vector<uint32_t>, std::greater<uint32_t>>
        Waiting;
    auto Add = [&](uint32_t Block) {
      if (IsWaiting[Block])
        return;
      IsWaiting[Block] = true;
      Waiting.push(Flow.Blocks[Block].Order);
    };
    for (auto [I, B] : enumerate(Flow.Blocks))
      if (B.IsRoot) {
        std::fill_n(Values.begin() + I * Registers, Registers,
                    Value::unknown());
        Add(I);
      }
    while (!Waiting.empty()) {
      uint32_t I = Flow.Order[Waiting.top()];
      Waiting.pop();
      IsWaiting[I] = false;
      ++Visits[I];
      enter(I);
      const Block &B = Flow.Blocks[I];
      for (const Step &S : Steps.slice(B.First, B.Last - B.First))
        transfer(S);
      for (uint32_t To : B.Successors) {
        JoinKind Kind = Flow.Blocks[To].Order <= B.Order ? JoinKind::Backward
                                                         : JoinKind::Forward;
        bool Changed = false;
        for (unsigned R = 0; R != Registers; ++R) {
          Value &At = Values[size_t(To) * Registers + R];
          if (!At.join(State[R], Kind, Map))
            continue;
          Changed = true;
          if (Visits[To] >= MostVisits)
            At = Value::unknown();
        }
        if (Changed)
          Add(To);
      }
    }
  }

  void add(const Step &S, const Value &At, facts::AccessKind Kind,
           uint64_t Size, double Frequency) {
    double Share = 1.0 / At.alternatives();
    for (const Alternative &A : At.known())
      if (A.IsAddress && Map.isData(A.At))
        Found.push_back({uint64_t(A.At), A.IsMoving, Kind, Size,
                         Frequency * Share, S.Offset});
  }

  void addCall(const Step &S, double Frequency) {
    StringRef Name = calleeOf(S, Map);
    if (Name.empty())
      return;
    auto Argument = [&](unsigned Number) {
      return Number < For.arguments().size() ? valueOf(For.arguments()[Number])
                                             : Value::unknown();
    };
    for (const facts::Operand &Op : facts::knownOperands(Name)) {
      uint64_t Size = Op.Bytes == facts::Span::Fixed ? Op.Fixed : 0;
      if (std::optional<unsigned> Number = facts::sizeArgument(Op.Bytes))
        Size = Argument(*Number).exactNumber().value_or(0);
      else if (!Size && For.hasKnownTypeSizes())
        Size = facts::typeSize(Op.Bytes);
      add(S, Argument(Op.Argument), Op.Kind, Size, Frequency);
    }
  }

  void collect() {
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I) {
      const Block &B = Flow.Blocks[I];
      enter(I);
      for (const Step &S : Steps.slice(B.First, B.Last - B.First)) {
        if (S.Kind == StepKind::Access) {
          uint64_t Size = S.Size;
          if (S.Count != NoRegister)
            Size *= valueOf(S.Count).exactNumber().value_or(0);
          add(S, evaluate(S.At), S.Access, Size, B.Frequency);
        } else if (S.Kind == StepKind::Call ||
                   S.Kind == StepKind::CallThrough ||
                   S.Kind == StepKind::Jump) {
          addCall(S, B.Frequency);
        }
        transfer(S);
      }
    }
  }
};

} // namespace

std::vector<FoundAccess> followRegisters(ArrayRef<Step> Steps,
                                         const ControlFlow &Flow,
                                         const Architecture &For,
                                         const CodeMap &Map) {
  return Follower(Steps, Flow, For, Map).follow();
}

} // namespace linesman::input
