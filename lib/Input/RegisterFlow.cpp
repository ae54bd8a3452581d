// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data flow's transfer function and its fixed point.

#include "RegisterFlow.h"
#include "OnceCode.h"
#include "RegisterValue.h"
#include "ThreadState.h"
#include "linesman/Facts/KnownCalls.h"
#include "linesman/Facts/KnownThreads.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PriorityQueue.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <map>

using namespace llvm;
using linesman::layout::AddressRange;

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

  FoundFacts follow(AddressRange Function, CallsWanted Calls) {
    if (any_of(Steps, [&](const Step &S) { return formsAddress(S); }))
      solve();
    collect(Function, Calls);
    return std::move(Found);
  }

  std::optional<uint64_t> handedToFirstCall() {
    solve();
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I) {
      const Block &B = Flow.Blocks[I];
      enter(I);
      for (const Step &S : Steps.slice(B.First, B.Last - B.First)) {
        if (S.Kind == StepKind::Call || S.Kind == StepKind::CallThrough) {
          Value First = valueOf(For.arguments().front());
          std::optional<uint64_t> Address = First.exactAddress();
          return Address ? Address : First.exactNumber();
        }
        transfer(S);
      }
    }
    return std::nullopt;
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
  FoundFacts Found;
  /// In the block that is looked at: the address of the data whose value a
  /// register is, and of what the last test compared with zero; 0 elsewhere.
  std::array<uint64_t, MostRegisters> LoadedFrom;
  uint64_t Tested = 0;

  bool formsAddress(const Step &S) const {
    switch (S.Kind) {
    case StepKind::Add:
    case StepKind::Select:
      // Not only data: a pointer may start one element outside of it.
      return S.At.IsAddress;
    case StepKind::Load:
      return S.At.IsAddress && S.At.Base == NoRegister &&
             S.At.Index == NoRegister && Map.pointerAt(S.At.Disp);
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

  Value load(const Value &From) const {
    Value Loaded;
    for (const Alternative &A : From.known()) {
      std::optional<uint64_t> Pointer;
      if (A.IsAddress && !A.IsMoving)
        Pointer = Map.pointerAt(A.At);
      if (!Pointer || !Map.isConstant(A.At))
        Loaded.join(Value::unknown(), JoinKind::Forward, Map);
      if (Pointer)
        Loaded.join(Value::address(*Pointer), JoinKind::Forward, Map);
    }
    if (From.alternatives() != From.known().size())
      Loaded.join(Value::unknown(), JoinKind::Forward, Map);
    return Loaded;
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
    case StepKind::Load:
      State[S.Dst] = load(evaluate(S.At));
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
    Values.resize(Flow.Blocks.size() * Registers);
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

  /// Whether an index other than 0 leaves the object at \p A: the base is then
  /// beside the object that is meant, and which that is, is not known.
  bool isBeside(const Alternative &A, uint64_t Size) const {
    if (!A.IsOpen || !Size)
      return false;
    std::optional<AddressRange> Object = Map.objectAt(A.At);
    return Object && uint64_t(A.At) + Size >= Object->End.Value;
  }

  void add(const Step &S, const Value &At, facts::AccessKind Kind,
           uint64_t Size, uint32_t Block) {
    double Share = 1.0 / At.alternatives();
    std::optional<uint64_t> Stored;
    if (S.Kind == StepKind::Access && Kind == facts::AccessKind::Write)
      Stored = storedBy(S);
    for (const Alternative &A : At.known())
      if (A.IsAddress && Map.isData(A.At) && !isBeside(A, Size))
        Found.Accesses.push_back({uint64_t(A.At), A.IsMoving, Kind, Size,
                                  Flow.Blocks[Block].Frequency * Share,
                                  S.Offset, Block, Stored});
  }

  std::optional<uint64_t> storedBy(const Step &S) const {
    std::optional<uint64_t> Number;
    if (S.Src == NoRegister)
      Number = int64_t(S.Immediate);
    else if (S.Src < Registers)
      Number = State[S.Src].exactNumber();
    if (Number && S.Size && S.Size < 8)
      *Number &= (uint64_t(1) << S.Size * 8) - 1;
    return Number;
  }

  /// Where what is at a place is kept, as far as it says.
  uint8_t slotAt(const Place &At) const {
    using layout::SlotSignature;
    if (At.IsAddress && At.Index != NoRegister)
      return SlotSignature::inRecord(0); // an array of pointers
    if (std::optional<uint64_t> Variable = evaluate(At).exactAddress())
      return SlotSignature::inVariable(*Variable);
    return At.Base == NoRegister ? SlotSignature::Handed
                                 : SlotSignature::inRecord(At.Disp);
  }
  /// Where the callee of an indirect call was loaded from.
  uint8_t slotOf(const Step &S) const {
    if (S.Dst < MostRegisters)
      return SlotOf[S.Dst] ? SlotOf[S.Dst] : layout::SlotSignature::Handed;
    return slotAt(S.At);
  }

  /// Keeps SlotOf; before the step's transfer. Loads and calls are in straight
  /// lines of code, mostly: branches are passed over.
  void followSlots(const Step &S) {
    switch (S.Kind) {
    case StepKind::Access:
      if (S.Dst < MostRegisters) {
        SlotOf[S.Dst] = slotAt(S.At);
        LoadedAt = S.Offset;
      }
      break;
    case StepKind::Add:
      SlotOf[S.Dst] =
          S.At.Base < MostRegisters && S.At.Index == NoRegister && !S.At.Disp
              ? SlotOf[S.At.Base]
              : 0;
      break;
    case StepKind::Load:
    case StepKind::Select:
      if (S.Offset != LoadedAt)
        SlotOf[S.Dst] = S.Kind == StepKind::Load ? slotAt(S.At) : 0;
      break;
    default:
      for (unsigned R = 0; R != MostRegisters; ++R)
        if (S.Clobbers >> R & 1 && S.Offset != LoadedAt)
          SlotOf[R] = 0;
    }
  }

  /// Functions whose addresses a store puts somewhere.
  void addKept(const Step &S) {
    SmallVector<uint64_t, 4> Kept;
    if (S.Src == NoRegister && Map.isFixed() && S.Size == 8 &&
        Map.isFunction(int64_t(S.Immediate)))
      Kept.push_back(int64_t(S.Immediate));
    else if (S.Src < Registers)
      Kept = functionsIn(State[S.Src]);
    for (uint64_t Function : Kept) {
      KeptAt[Function].push_back(slotAt(S.At));
      // A record with a name is also reached through a pointer to it.
      if (std::optional<uint64_t> Variable = evaluate(S.At).exactAddress()) {
        std::optional<layout::AddressRange> In = Map.objectAt(*Variable);
        KeptAt[Function].push_back(layout::SlotSignature::inRecord(
            In ? *Variable - In->Begin.Value : 0));
      }
    }
  }

  /// Keeps LoadedFrom and Tested; before the step's transfer.
  void followTested(const Step &S, uint32_t Block) {
    auto Of = [&](const Place &At) {
      if (Values.empty() && !At.IsAddress)
        return uint64_t(0);
      uint64_t Address = evaluate(At).exactAddress().value_or(0);
      return Map.isData(Address) ? Address : 0;
    };
    switch (S.Kind) {
    case StepKind::Access:
      if (S.Dst < MostRegisters) {
        LoadedFrom[S.Dst] = Of(S.At);
        LoadedAt = S.Offset;
      }
      break;
    case StepKind::Test:
      Tested = S.Dst < MostRegisters ? LoadedFrom[S.Dst] : Of(S.At);
      break;
    case StepKind::Branch:
      addTest(S, Block);
      break;
    case StepKind::Add:
      if (S.At.Base < MostRegisters && S.At.Index == NoRegister && !S.At.Disp)
        LoadedFrom[S.Dst] = LoadedFrom[S.At.Base];
      else
        LoadedFrom[S.Dst] = 0;
      break;
    case StepKind::Load:
    case StepKind::Select:
      // The step of one load that says what it loads from comes first.
      if (S.Offset != LoadedAt)
        LoadedFrom[S.Dst] = 0;
      break;
    default:
      for (unsigned R = 0; R != MostRegisters; ++R)
        if (S.Clobbers >> R & 1 && S.Offset != LoadedAt)
          LoadedFrom[R] = 0;
    }
  }
  /// What a thread runs whose state has the last such vtable that was taken,
  /// where that was, and where such threads start.
  facts::FunctionRef LastState;
  uint32_t LastStateAt = 0;
  SmallVector<AddressRange, 2> StateStarts;
  void followStates(const Value &V, uint32_t Offset) {
    if (std::optional<uint64_t> Table = V.exactAddress())
      if (auto Run = runOfThreadState(*Table, For, Map)) {
        LastState = reference(*Run);
        LastStateAt = Offset;
      }
  }
  /// Whether a function that is taken at \p Offset goes into such a state.
  bool isStates(uint32_t Offset) const {
    return any_of(StateStarts, [&](AddressRange R) {
      return Offset + 64 >= R.Begin.Value && Offset < R.End.Value;
    });
  }
  bool HandsToOnce = false;
  /// Calls by their offset, and whether each is given a record with a handler
  /// of signals; without those that only fill it in.
  std::map<uint32_t, bool> CallsAt;
  /// Whether a function's address that is taken at \p Offset, and kept on the
  /// stack, is a handler of signals: its record is handed over next.
  bool isHandler(uint32_t Offset) const {
    auto Next = CallsAt.upper_bound(Offset);
    return Next != CallsAt.end() && Next->second;
  }
  /// By register: see slotAt; 0 where nothing is known.
  std::array<uint8_t, MostRegisters> SlotOf = {};
  std::map<uint64_t, SmallVector<uint8_t, 1>> KeptAt;
  /// Where the last load is, from the function's start.
  uint32_t LoadedAt = UINT32_MAX;

  void addTest(const Step &S, uint32_t Block) {
    const auto &Next = Flow.Blocks[Block].Successors;
    // The first successor of a branch is its target (ControlFlow.cpp).
    if (S.If == Condition::Other || !Tested || Next.size() != 2)
      return;
    Found.Tests.push_back({Block, Next[S.If != Condition::Zero], Tested});
  }

  Value argument(unsigned Number) const {
    return Number < For.arguments().size() ? valueOf(For.arguments()[Number])
                                           : Value::unknown();
  }

  void addOperand(const Step &S, const facts::Operand &Op, uint32_t Block) {
    uint64_t Size = Op.Bytes == facts::Span::Fixed ? Op.Fixed : 0;
    if (std::optional<unsigned> Number = facts::sizeArgument(Op.Bytes))
      Size = argument(*Number).exactNumber().value_or(0);
    else if (!Size)
      Size = facts::typeSize(Op.Bytes);
    add(S, argument(Op.Argument), Op.Kind, Size, Block);
  }

  void addCalleesAccesses(const Step &S, uint32_t Block) {
    if (StringRef Name = calleeOf(S, Map); !Name.empty()) {
      for (const facts::Operand &Op : facts::knownOperands(Name))
        addOperand(S, Op, Block);
    } else if (S.Kind == StepKind::Call && S.At.IsAddress) {
      if (auto Op = For.operandOfHelper(Map.codeFrom(S.At.Disp)))
        addOperand(S, *Op, Block);
    }
  }

  /// The functions that a value may be.
  SmallVector<uint64_t, 4> functionsIn(const Value &V) const {
    SmallVector<uint64_t, 4> Functions;
    for (const Alternative &A : V.known())
      if (!A.IsMoving && Map.isFunction(A.At))
        Functions.push_back(A.At);
    return Functions;
  }

  FoundCall &addEdge(facts::CallKind Kind, facts::FunctionRef Callee,
                     const Step &S, uint32_t Block) {
    FoundCall &C = Found.Calls.emplace_back();
    C.Kind = Kind;
    C.Callee = Callee;
    C.Offset = S.Offset;
    C.Block = Block;
    C.Weight = Flow.Blocks[Block].Frequency;
    return C;
  }
  static facts::FunctionRef reference(uint64_t Address) {
    return {facts::FunctionRef::Address, Address};
  }

  /// \p Handed takes in the functions that a callee is given.
  void addCalls(const Step &S, uint32_t Block, uint8_t Slot,
                DenseSet<uint64_t> &Handed) {
    using facts::CallKind;
    StringRef Name = calleeOf(S, Map);
    if (!facts::fillsHandlerRecord(Name))
      CallsAt[S.Offset] = facts::takesHandlerRecord(Name);
    bool IsKnown = S.Kind != StepKind::CallThrough && S.At.IsAddress &&
                   Map.isFunction(S.At.Disp);
    if (auto Start = facts::startedBy(Name)) {
      auto Entries = functionsIn(argument(Start->Argument));
      for (uint64_t Entry : Entries)
        addEdge(CallKind::Start, reference(Entry), S, Block).IsTeam =
            Start->IsTeam;
      if (Entries.empty())
        addEdge(CallKind::Start, {}, S, Block).IsTeam = Start->IsTeam;
      Handed.insert_range(Entries);
      return;
    }
    if (std::optional<unsigned> Once = facts::runRarelyBy(Name)) {
      // At most: some run at exit only.
      auto Entries = functionsIn(argument(*Once));
      for (uint64_t Entry : Entries)
        addEdge(CallKind::Direct, reference(Entry), S, Block).Weight *=
            ColdShare;
      Handed.insert_range(Entries);
      // libstdc++'s std::call_once hands over a function of its own, which
      // calls what the caller has put aside.
      HandsToOnce |= Entries.empty();
      return;
    }
    if (Name.starts_with(facts::StdThreadStart)) {
      addEdge(CallKind::Start, {}, S, Block);
      if (LastState.Value) {
        addEdge(CallKind::Start, LastState, S, Block);
        StateStarts.push_back({{LastStateAt}, {S.Offset}});
      }
      Handed.insert(LastState.Value);
    }
    bool IsGiven = false,
         Starts = !IsKnown && facts::soundsLikeThreadStart(Name);
    for (unsigned I = 0; I != For.arguments().size(); ++I)
      for (uint64_t Given : functionsIn(argument(I))) {
        Handed.insert(Given);
        if (!IsKnown && facts::callsAtOnce(Name)) {
          addEdge(CallKind::Direct, reference(Given), S, Block);
          continue;
        }
        FoundCall &Edge = addEdge(Starts ? CallKind::Start : CallKind::Address,
                                  reference(Given), S, Block);
        Edge.Signature = layout::SlotSignature::Handed;
        // How many threads a pool has is not known.
        Edge.IsTeam = Starts;
        IsGiven = true;
      }
    if (IsKnown)
      addEdge(CallKind::Direct, reference(S.At.Disp), S, Block);
    else if (Name.empty() || facts::runsCallbacks(Name))
      addEdge(CallKind::Indirect, {}, S, Block).Signature =
          Name.empty() ? Slot : 0;
    else if (IsGiven)
      addEdge(CallKind::Direct,
              {facts::FunctionRef::Name, facts::hashName(Name)}, S, Block);
  }

  void collect(AddressRange Function, CallsWanted Calls) {
    DenseSet<uint64_t> Handed;
    std::vector<FoundCall> Taken;
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I) {
      const Block &B = Flow.Blocks[I];
      enter(I);
      LoadedFrom.fill(0);
      LoadedAt = UINT32_MAX;
      Tested = 0;
      for (const Step &S : Steps.slice(B.First, B.Last - B.First)) {
        // It is asked for where the load was, so it must know of it first.
        uint8_t Callee = Calls == CallsWanted::Yes ? slotOf(S) : 0;
        if (Calls == CallsWanted::Yes)
          followSlots(S);
        followTested(S, I);
        switch (S.Kind) {
        case StepKind::Access: {
          uint64_t Size = S.Size;
          if (S.Count != NoRegister)
            Size *= valueOf(S.Count).exactNumber().value_or(0);
          add(S, evaluate(S.At), S.Access, Size, I);
          if (Calls == CallsWanted::Yes && S.Access == facts::AccessKind::Write)
            addKept(S);
          break;
        }
        case StepKind::Call:
        case StepKind::CallThrough:
          addCalleesAccesses(S, I);
          if (Calls == CallsWanted::Yes)
            addCalls(S, I, Callee, Handed);
          break;
        case StepKind::Jump:
          addCalleesAccesses(S, I);
          [[fallthrough]];
        case StepKind::Branch:
          // The last call of a function.
          if (Calls == CallsWanted::Yes &&
              !Function.contains({uint64_t(S.At.Disp)}) &&
              (Map.isFunction(S.At.Disp) || !calleeOf(S, Map).empty()))
            addCalls(S, I, Callee, Handed);
          break;
        case StepKind::IndirectJump:
          // Without cases it is no switch, but a last call as well.
          if (Calls == CallsWanted::Yes && B.Successors.empty())
            addCalls(S, I, Callee, Handed);
          break;
        default:
          break;
        }
        transfer(S);
        if (Calls == CallsWanted::Yes &&
            (S.Kind == StepKind::Add || S.Kind == StepKind::Load ||
             S.Kind == StepKind::Select)) {
          for (uint64_t A : functionsIn(State[S.Dst]))
            Taken.push_back(
                {facts::CallKind::Address, reference(A), false, S.Offset, I});
          followStates(State[S.Dst], S.Offset);
        }
      }
    }
    markOnceCode(Flow, Found);
    // What is given to nobody is kept somewhere.
    for (FoundCall &T : Taken) {
      if (!Handed.insert(T.Callee.Value).second)
        continue;
      auto At = KeptAt.find(T.Callee.Value);
      if (HandsToOnce || (At == KeptAt.end() && isHandler(T.Offset))) {
        T.Kind = facts::CallKind::Direct;
        T.Weight = ColdShare;
      }
      if (At != KeptAt.end() && isStates(T.Offset)) {
        T.Kind = facts::CallKind::Start;
        T.IsTeam = StateStarts.size() > 1;
        At = KeptAt.end();
      }
      T.Signature = layout::SlotSignature::Handed;
      if (At == KeptAt.end())
        Found.Calls.push_back(T);
      else
        for (uint8_t Slot : At->second) {
          T.Signature = Slot;
          Found.Calls.push_back(T);
        }
    }
  }
};

} // namespace

FoundFacts followRegisters(ArrayRef<Step> Steps, const ControlFlow &Flow,
                           const CodeFunction &Function,
                           const Architecture &For, const CodeMap &Map,
                           CallsWanted Calls) {
  return Follower(Steps, Flow, For, Map).follow(Function.Range, Calls);
}

std::optional<uint64_t> findHandedToFirstCall(ArrayRef<Step> Steps,
                                              const ControlFlow &Flow,
                                              const Architecture &For,
                                              const CodeMap &Map) {
  return Follower(Steps, Flow, For, Map).handedToFirstCall();
}

} // namespace linesman::input
