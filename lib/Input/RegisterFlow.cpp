// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function accesses and calls, by what its registers hold.

#include "RegisterFlow.h"
#include "OnceCode.h"
#include "StackSlots.h"
#include "StateTests.h"
#include "ThreadState.h"
#include "linesman/Facts/KnownCalls.h"
#include "linesman/Facts/KnownThreads.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <map>

using namespace llvm;
using linesman::layout::AddressRange;

namespace linesman::input {

namespace {

bool formsAddress(const Step &S, const CodeMap &Map) {
  switch (S.Kind) {
  case StepKind::Add:
  case StepKind::Select:
    // Not only data: a pointer may start one element outside of it.
    return S.Spot.IsAddress;
  case StepKind::Load:
    return S.Spot.IsAddress && S.Spot.Base == NoRegister &&
           S.Spot.Index == NoRegister && !S.Size && Map.pointerAt(S.Spot.Disp);
  case StepKind::Access:
    // table+800(%rax), where rax counts up from -800.
    return S.Spot.IsAddress &&
           (S.Spot.Base != NoRegister || S.Spot.Index != NoRegister);
  default:
    return false;
  }
}

class Follower {
public:
  /// Without \p Solves no register ever holds an address: only operands that
  /// are addresses themselves are of interest.
  Follower(ArrayRef<Step> Steps, const ControlFlow &Flow,
           const Architecture &For, const CodeMap &Map, bool Solves,
           unsigned Slots, PointersWanted Wanted)
      : Steps(Steps), Flow(Flow), For(For), Map(Map),
        State(Steps, Flow, For, Map, Slots,
              Wanted == PointersWanted::All  ? OriginsWanted::All
              : Wanted == PointersWanted::No ? OriginsWanted::No
                                             : OriginsWanted::First),
        Pointers(State, Flow, For, Map, Wanted) {
    if (Solves)
      State.solve();
  }

  FoundFacts follow(AddressRange Function, CallsWanted Calls) {
    collect(Function, Calls);
    Found.Loaded.assign(Pointers.Loaded.begin(), Pointers.Loaded.end());
    Found.UsedResults.assign(Pointers.UsedResults.begin(),
                             Pointers.UsedResults.end());
    Found.StoresThrough = Pointers.StoresThrough;
    return std::move(Found);
  }

  std::optional<uint64_t> handedToFirstCall() {
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I) {
      const Block &B = Flow.Blocks[I];
      State.enter(I);
      for (const Step &S : Steps.slice(B.First, B.Last - B.First)) {
        if (S.Kind == StepKind::Call || S.Kind == StepKind::CallThrough) {
          Value First = State.valueOf(For.arguments().front());
          std::optional<uint64_t> Address = First.exactAddress();
          return Address ? Address : First.exactNumber();
        }
        State.transfer(S);
      }
    }
    return std::nullopt;
  }

private:
  ArrayRef<Step> Steps;
  const ControlFlow &Flow;
  const Architecture &For;
  const CodeMap &Map;
  RegisterState State;
  PointerUses Pointers;
  FoundFacts Found;
  /// In the block that is looked at: the address of the data whose value a
  /// register is, and of what the last test compared with zero; 0 elsewhere.
  std::array<uint64_t, MostValues> LoadedFrom;
  uint64_t Tested = 0;
  /// The same of what was compared with another number, which may be -1.
  uint64_t Matched = 0;
  bool IsMatchedMinus = false;
  /// The last comparison of pointers, if it was later.
  const Step *Compared = nullptr;

  /// Whether an index other than 0 leaves the object at \p A: the base is then
  /// beside the object that is meant, and which that is, is not known.
  bool isBeside(const Alternative &A, uint64_t Size) const {
    if (!A.IsOpen || !Size)
      return false;
    std::optional<AddressRange> Object = Map.objectAt(A.Place);
    return Object && uint64_t(A.Place) + Size >= Object->End.Value;
  }

  void add(const Step &S, const Value &Address, facts::AccessKind Kind,
           uint64_t Size, uint32_t Block) {
    double Share = 1.0 / Address.alternatives();
    std::optional<uint64_t> Stored;
    if (S.Kind == StepKind::Access && Kind == facts::AccessKind::Write)
      Stored = storedBy(S);
    for (const Alternative &A : Address.known())
      if (A.isAddress() && Map.isData(A.Place) && !isBeside(A, Size))
        Found.Accesses.push_back({uint64_t(A.Place), bool(A.IsMoving),
                                  A.stride(), bool(A.IsByFirst), Kind, Size,
                                  Flow.Blocks[Block].Frequency * Share,
                                  S.Offset, Block, Stored});
    Pointers.addAccess(S, Address, Kind, Size, Block);
  }

  /// What sets a constant says that others look at it, and not that it is done
  /// often: it is a store like others.
  facts::AccessKind kindOf(const Step &S) const {
    return S.IsStore && storedBy(S) ? facts::AccessKind::Write : S.Access;
  }

  std::optional<uint64_t> storedBy(const Step &S) const {
    std::optional<uint64_t> Number;
    if (S.Src == NoRegister)
      Number = int64_t(S.Immediate);
    else if (S.Src < MostRegisters)
      Number = State.valueOf(S.Src).exactNumber();
    if (Number && S.Size && S.Size < 8)
      *Number &= (uint64_t(1) << S.Size * 8) - 1;
    return Number;
  }

  /// Where what is at a place is kept, as far as it says.
  uint8_t slotAt(const Place &Spot) const {
    using layout::SlotSignature;
    if (Spot.IsAddress && Spot.Index != NoRegister)
      return SlotSignature::inRecord(0); // an array of pointers
    if (std::optional<uint64_t> Variable = State.evaluate(Spot).exactAddress())
      return SlotSignature::inVariable(*Variable);
    return Spot.Base == NoRegister ? SlotSignature::Handed
                                   : SlotSignature::inRecord(Spot.Disp);
  }
  /// Where the callee of an indirect call was loaded from.
  uint8_t slotOf(const Step &S) const {
    if (S.Dst < MostRegisters)
      return SlotOf[S.Dst] ? SlotOf[S.Dst] : layout::SlotSignature::Handed;
    return slotAt(S.Spot);
  }

  /// Keeps SlotOf; before the step's transfer. Loads and calls are in straight
  /// lines of code, mostly: branches are passed over.
  void followSlots(const Step &S) {
    switch (S.Kind) {
    case StepKind::Access:
      if (S.Dst < MostRegisters) {
        SlotOf[S.Dst] = slotAt(S.Spot);
        LoadedAt = S.Offset;
      }
      break;
    case StepKind::Add:
      SlotOf[S.Dst] =
          S.Spot.Base < MostValues && S.Spot.Index == NoRegister && !S.Spot.Disp
              ? SlotOf[S.Spot.Base]
              : 0;
      break;
    case StepKind::Load:
    case StepKind::Reload:
    case StepKind::Select:
      if (S.Offset != LoadedAt)
        SlotOf[S.Dst] = S.Kind == StepKind::Load ? slotAt(S.Spot) : 0;
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
    else if (S.Src < MostRegisters)
      Kept = functionsIn(State.valueOf(S.Src));
    for (uint64_t Function : Kept) {
      KeptAt[Function].push_back(slotAt(S.Spot));
      // A record with a name is also reached through a pointer to it.
      if (std::optional<uint64_t> Variable =
              State.evaluate(S.Spot).exactAddress()) {
        std::optional<layout::AddressRange> Around = Map.objectAt(*Variable);
        KeptAt[Function].push_back(layout::SlotSignature::inRecord(
            Around ? *Variable - Around->Begin.Value : 0));
      }
    }
  }

  /// Keeps LoadedFrom and Tested; before the step's transfer.
  void followTested(const Step &S, uint32_t Block) {
    auto Found = [&](const Place &Spot) {
      if (Spot.IsOwn)
        return layout::OwnFlag::at(Spot.Disp);
      if (!State.isSolved() && !Spot.IsAddress)
        return uint64_t(0);
      uint64_t Address = State.evaluate(Spot).exactAddress().value_or(0);
      return Map.isData(Address) ? Address : 0;
    };
    switch (S.Kind) {
    case StepKind::Access:
      if (S.Dst < MostRegisters) {
        LoadedFrom[S.Dst] = Found(S.Spot);
        LoadedAt = S.Offset;
      }
      break;
    case StepKind::Compare:
      Tested = 0;
      Compared = &S;
      Matched = S.Spot.Base == NoRegister && S.Spot.Index == NoRegister &&
                        !S.Spot.IsAddress && S.Dst < MostRegisters
                    ? LoadedFrom[S.Dst]
                    : 0;
      IsMatchedMinus = S.Spot.Disp == -1;
      break;
    case StepKind::CompareValue:
      Tested = 0;
      Compared = nullptr;
      Matched = S.Src != NoRegister     ? 0
                : S.Dst < MostRegisters ? LoadedFrom[S.Dst]
                                        : Found(S.Spot);
      IsMatchedMinus = S.Immediate == -1;
      break;
    case StepKind::Test:
      Compared = nullptr;
      Matched = 0;
      Tested = S.Dst < MostRegisters ? LoadedFrom[S.Dst] : Found(S.Spot);
      break;
    case StepKind::Branch:
      if (Compared)
        Pointers.addTest(*Compared, S, Block);
      addTest(S, Block);
      break;
    case StepKind::Add:
      if (S.Spot.Base < MostValues && S.Spot.Index == NoRegister &&
          !S.Spot.Disp)
        LoadedFrom[S.Dst] = LoadedFrom[S.Spot.Base];
      else
        LoadedFrom[S.Dst] = 0;
      break;
    case StepKind::Load:
    case StepKind::Reload:
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
  std::array<uint8_t, MostValues> SlotOf = {};
  std::map<uint64_t, SmallVector<uint8_t, 1>> KeptAt;
  /// Where the last load is, from the function's start.
  uint32_t LoadedAt = UINT32_MAX;

  /// Each thread's own variables that are written, and whether only with what
  /// leaves them set.
  llvm::SmallMapVector<uint64_t, bool, 2> OwnWritten;
  void followOwn(const Step &S) {
    if (S.Access == facts::AccessKind::Read)
      return;
    bool Sets = storedBy(S).value_or(0) != 0;
    auto [It, IsNew] =
        OwnWritten.try_emplace(layout::OwnFlag::at(S.Spot.Disp), Sets);
    It->second &= Sets;
  }

  void addTest(const Step &S, uint32_t Block) {
    const auto &Next = Flow.Blocks[Block].Successors;
    // The first successor of a branch is its target (ControlFlow.cpp).
    if (S.If == Condition::Other || Next.size() != 2)
      return;
    bool IfZero = S.If == Condition::Zero;
    if (Tested)
      Found.Tests.push_back({Block, Next[!IfZero], Tested});
    else if (Matched)
      Found.Tests.push_back({Block, Next[IfZero], Matched, false});
    if (!Tested && Matched && IsMatchedMinus)
      Found.Tests.push_back(
          {Block, Next[!IfZero], layout::MinusFlag::at(Matched)});
  }

  Value argument(unsigned Number) const {
    return Number < For.arguments().size()
               ? State.valueOf(For.arguments()[Number])
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

  /// Before the step's transfer, and followTested.
  void followLock(const Step &S, uint32_t Block) {
    StringRef Name = calleeOf(S, Map);
    if (Name.empty())
      return;
    if (facts::waitsForCondition(Name))
      Found.Waits.push_back({Block, S.Offset});
    if (!facts::isGivenItsLock(Name) || !facts::holdsAlone(Name))
      return;
    Register First = For.arguments().front();
    uint64_t Lock = State.valueOf(First).exactAddress().value_or(0);
    if (!Map.isData(Lock))
      Lock = LoadedFrom[First];
    if (Lock)
      Found.GivenLocks[S.Offset] = Lock;
  }

  void addCalleesAccesses(const Step &S, uint32_t Block) {
    if (StringRef Name = calleeOf(S, Map); !Name.empty()) {
      for (const facts::Operand &Op : facts::knownOperands(Name))
        addOperand(S, Op, Block);
    } else if (S.Kind == StepKind::Call && S.Spot.IsAddress) {
      if (auto Op = For.operandOfHelper(Map.codeFrom(S.Spot.Disp)))
        addOperand(S, *Op, Block);
    }
  }

  /// The functions that a value may be.
  SmallVector<uint64_t, 4> functionsIn(const Value &V) const {
    SmallVector<uint64_t, 4> Functions;
    for (const Alternative &A : V.known())
      if ((A.isNumber() || A.isAddress()) && !A.IsMoving &&
          Map.isFunction(A.Place))
        Functions.push_back(A.Place);
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
    std::optional<uint64_t> Own = ownCalleeOf(S, Map);
    if (auto Start = facts::startedBy(Name)) {
      auto Entries = functionsIn(argument(Start->Argument));
      for (uint64_t Entry : Entries) {
        FoundCall &Edge = addEdge(CallKind::Start, reference(Entry), S, Block);
        Edge.IsTeam = Start->IsTeam;
        Value Given = argument(Start->Argument + 1);
        Edge.IsOneForAll =
            Start->IsTeam || Given.exactAddress() || Given.exactNumber();
        Pointers.addHanded(S, Start->Argument + 1, reference(Entry), 0, Block);
      }
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
    bool IsGiven = false, Starts = !Own && facts::soundsLikeThreadStart(Name);
    for (unsigned I = 0; I != For.arguments().size(); ++I)
      for (uint64_t Given : functionsIn(argument(I))) {
        Handed.insert(Given);
        if (!Own && facts::callsAtOnce(Name)) {
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
    if (Own) {
      addEdge(CallKind::Direct, reference(*Own), S, Block);
      // What it does by its name is known already.
      if (facts::knownOperands(Name).empty())
        Pointers.addHanded(S, reference(*Own), Block);
    } else if (Name.empty() || facts::runsCallbacks(Name))
      addEdge(CallKind::Indirect, {}, S, Block).Signature =
          Name.empty() ? Slot : 0;
    else if (IsGiven || facts::waitsForWork(Name) || facts::isSetUp(Name))
      addEdge(CallKind::Direct,
              {facts::FunctionRef::Name, facts::hashName(Name)}, S, Block);
  }

  void collect(AddressRange Function, CallsWanted Calls) {
    DenseSet<uint64_t> Handed;
    std::vector<FoundCall> Taken;
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I) {
      const Block &B = Flow.Blocks[I];
      State.enter(I);
      LoadedFrom.fill(0);
      LoadedAt = UINT32_MAX;
      Tested = Matched = 0;
      Compared = nullptr;
      for (const Step &S : Steps.slice(B.First, B.Last - B.First)) {
        // It is asked for where the load was, so it must know of it first.
        uint8_t Callee = Calls == CallsWanted::Yes ? slotOf(S) : 0;
        if (Calls == CallsWanted::Yes)
          followSlots(S);
        followLock(S, I);
        followTested(S, I);
        Pointers.followResult(S);
        switch (S.Kind) {
        case StepKind::Access: {
          if (S.Spot.IsOwn) { // nobody else's
            followOwn(S);
            break;
          }
          uint64_t Size = S.Size;
          if (S.Count != NoRegister)
            Size *= State.valueOf(S.Count).exactNumber().value_or(0);
          add(S, State.evaluate(S.Spot), kindOf(S), Size, I);
          Pointers.addMoved(S, I);
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
              !Function.contains({uint64_t(S.Spot.Disp)}) &&
              (Map.isFunction(S.Spot.Disp) || !calleeOf(S, Map).empty()))
            addCalls(S, I, Callee, Handed);
          break;
        case StepKind::IndirectJump:
          // Without cases it is no switch, but a last call as well.
          if (Calls == CallsWanted::Yes && B.Successors.empty())
            addCalls(S, I, Callee, Handed);
          break;
        case StepKind::End:
          Pointers.addReturned(S, I);
          break;
        default:
          break;
        }
        State.transfer(S);
        if (Calls == CallsWanted::Yes &&
            (S.Kind == StepKind::Add || S.Kind == StepKind::Load ||
             S.Kind == StepKind::Select)) {
          for (uint64_t A : functionsIn(State.valueOf(S.Dst)))
            Taken.push_back(
                {facts::CallKind::Address, reference(A), false, S.Offset, I});
          followStates(State.valueOf(S.Dst), S.Offset);
        }
      }
      Pointers.endBlock();
    }
    Found.Uses = Pointers.take();
    for (auto [Flag, IsSet] : OwnWritten)
      if (IsSet)
        Found.OwnFlagsSet.push_back(Flag);
    addStateTests(Steps, Flow, Found);
    markOnceCode(Flow, Found);
    // What is given to nobody is kept somewhere.
    for (FoundCall &T : Taken) {
      if (!Handed.insert(T.Callee.Value).second)
        continue;
      auto Position = KeptAt.find(T.Callee.Value);
      if (HandsToOnce || (Position == KeptAt.end() && isHandler(T.Offset))) {
        T.Kind = facts::CallKind::Direct;
        T.Weight = ColdShare;
      }
      if (Position != KeptAt.end() && isStates(T.Offset)) {
        T.Kind = facts::CallKind::Start;
        T.IsTeam = StateStarts.size() > 1;
        Position = KeptAt.end();
      }
      T.Signature = layout::SlotSignature::Handed;
      if (Position == KeptAt.end())
        Found.Calls.push_back(T);
      else
        for (uint8_t Slot : Position->second) {
          T.Signature = Slot;
          Found.Calls.push_back(T);
        }
    }
  }
};

} // namespace

FoundFacts followRegisters(MutableArrayRef<Step> Steps, const ControlFlow &Flow,
                           const CodeFunction &Function,
                           const Architecture &For, const CodeMap &Map,
                           CallsWanted Calls, PointersWanted Pointers) {
  bool Solves =
      Pointers == PointersWanted::All ||
      any_of(Steps, [&](const Step &S) { return formsAddress(S, Map); });
  unsigned Slots = Solves ? nameStackSlots(Steps, Flow, For, Map) : 0;
  return Follower(Steps, Flow, For, Map, Solves, Slots, Pointers)
      .follow(Function.Range, Calls);
}

std::optional<uint64_t> findHandedToFirstCall(ArrayRef<Step> Steps,
                                              const ControlFlow &Flow,
                                              const Architecture &For,
                                              const CodeMap &Map) {
  return Follower(Steps, Flow, For, Map, /*Solves=*/true, /*Slots=*/0,
                  PointersWanted::No)
      .handedToFirstCall();
}

} // namespace linesman::input
