// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of a function to its accesses; what its calls and its tests are is told
// by observers of the same steps.

#include "RegisterFlow.h"
#include "AddressOrigins.h"
#include "CallEdges.h"
#include "Multiples.h"
#include "OnceCode.h"
#include "StackSlots.h"
#include "StateTests.h"
#include "ValueTests.h"
#include "linesman/Facts/KnownCalls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

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
           const Architecture &Arch, const CodeMap &Map, bool Solves,
           unsigned Slots, PointersWanted Wanted)
      : Steps(Steps), Flow(Flow), Arch(Arch), Map(Map),
        State(Steps, Flow, Arch, Map, Slots,
              Wanted == PointersWanted::All  ? OriginsWanted::All
              : Wanted == PointersWanted::No ? OriginsWanted::No
                                             : OriginsWanted::First),
        Pointers(State, Flow, Arch, Map, Wanted), Origins(State, Flow),
        Tests(State, Flow, Map, Pointers, Found.Tests) {
    if (Solves)
      State.solve();
  }

  FoundFacts follow(AddressRange Function, CallsWanted Wanted) {
    std::optional<CallEdges> Calls;
    if (Wanted == CallsWanted::Yes)
      Calls.emplace(Function, State, Flow, Arch, Map, Pointers, Found.Calls);
    collect(Calls ? &*Calls : nullptr);
    Origins.boundUses(Found.Accesses);
    Found.Uses = Pointers.take();
    for (auto [Flag, IsSet] : OwnWritten)
      if (IsSet)
        Found.OwnFlagsSet.push_back(Flag);
    addStateTests(Steps, Flow, Found);
    markOnceCode(Flow, Steps, Found);
    if (Calls)
      Calls->finish();
    Found.Loaded.assign(Pointers.Loaded.begin(), Pointers.Loaded.end());
    Found.UsedResults.assign(Pointers.UsedResults.begin(),
                             Pointers.UsedResults.end());
    Found.StoresThrough = Pointers.StoresThrough;
    Found.HandsPerhaps = Pointers.HandsPerhaps;
    return std::move(Found);
  }

  std::optional<uint64_t> handedToFirstCall() {
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I) {
      const Block &B = Flow.Blocks[I];
      State.enter(I);
      for (const Step &S : Steps.slice(B.First, B.Last - B.First)) {
        if (S.Kind == StepKind::Call || S.Kind == StepKind::CallThrough) {
          Value First = State.valueOf(Arch.arguments().front());
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
  const Architecture &Arch;
  const CodeMap &Map;
  RegisterState State;
  PointerUses Pointers;
  AddressOrigins Origins;
  FoundFacts Found;
  ValueTests Tests;

  /// Whether an index other than 0 leaves the object at \p A: the base is then
  /// beside the object that is meant, and which that is, is not known.
  bool isBeside(const Alternative &A, uint64_t Size) const {
    if (!A.IsOpen || !Size)
      return false;
    std::optional<AddressRange> Object = Map.objectAt(A.Place);
    return Object && uint64_t(A.Place) + Size >= Object->End.Value;
  }

  /// \p Distance is what was added to the pointer; nothing where there is more
  /// to it.
  void add(const Step &S, const Value &Address, facts::AccessKind Kind,
           uint64_t Size, uint32_t Block, std::optional<int64_t> Distance) {
    double Share = 1.0 / Address.alternatives();
    std::optional<uint64_t> Stored;
    if (S.Kind == StepKind::Access && Kind == facts::AccessKind::Write)
      Stored = storedBy(S);
    for (const Alternative &A : Address.known()) {
      if (!A.isAddress() || !Map.isData(A.Place) || isBeside(A, Size))
        continue;
      if (Address.alternatives() > 1 && !A.IsMoving && Distance)
        Origins.addUse(Found.Accesses.size(), A.Place - *Distance);
      Found.Accesses.push_back({uint64_t(A.Place), bool(A.IsMoving), A.stride(),
                                bool(A.IsByFirst), Kind, Size,
                                Flow.Blocks[Block].Frequency * Share, S.Offset,
                                Block, Stored});
    }
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

  /// Each thread's own variables that are written, and whether only with what
  /// leaves them set.
  SmallMapVector<uint64_t, bool, 2> OwnWritten;
  void followOwn(const Step &S) {
    if (S.Access == facts::AccessKind::Read)
      return;
    bool Sets = storedBy(S).value_or(0) != 0;
    auto [It, IsNew] =
        OwnWritten.try_emplace(layout::OwnFlag::at(S.Spot.Disp), Sets);
    It->second &= Sets;
  }

  void addOperand(const Step &S, const facts::Operand &Op, uint32_t Block) {
    uint64_t Size = Op.Bytes == facts::Span::Fixed ? Op.Fixed : 0;
    if (std::optional<unsigned> Number = facts::sizeArgument(Op.Bytes))
      Size = State.argument(*Number).exactNumber().value_or(0);
    else if (!Size)
      Size = facts::typeSize(Op.Bytes);
    add(S, State.argument(Op.Argument), Op.Kind, Size, Block, 0);
  }

  /// Before the step's transfer, and what its test says.
  void followLock(const Step &S, uint32_t Block) {
    StringRef Name = calleeOf(S, Map);
    if (Name.empty())
      return;
    if (facts::waitsForCondition(Name))
      Found.Waits.push_back({Block, S.Offset});
    if (!facts::isGivenItsLock(Name) || !facts::holdsAlone(Name))
      return;
    Register First = Arch.arguments().front();
    uint64_t Lock = State.valueOf(First).exactAddress().value_or(0);
    if (!Map.isData(Lock))
      Lock = Tests.sourceOf(First);
    if (Lock)
      Found.GivenLocks[S.Offset] = Lock;
  }

  void addCalleesAccesses(const Step &S, uint32_t Block) {
    if (StringRef Name = calleeOf(S, Map); !Name.empty()) {
      for (const facts::Operand &Op : facts::knownOperands(Name))
        addOperand(S, Op, Block);
    } else if (S.Kind == StepKind::Call && S.Spot.IsAddress) {
      if (auto Op = Arch.operandOfHelper(Map.codeFrom(S.Spot.Disp)))
        addOperand(S, *Op, Block);
    }
  }

  /// Before the step's transfer.
  void addAccess(const Step &S, uint32_t Block) {
    uint64_t Size = S.Size;
    if (S.Count != NoRegister)
      Size *= State.valueOf(S.Count).exactNumber().value_or(0);
    std::optional<int64_t> Distance;
    if (!S.Spot.IsAddress && S.Spot.Index == NoRegister)
      Distance = S.Spot.Disp;
    add(S, State.evaluate(S.Spot), kindOf(S), Size, Block, Distance);
    Pointers.addMoved(S, Block);
  }

  void followStep(const Step &S, uint32_t Block) {
    followLock(S, Block);
    Tests.follow(S, Block);
    Pointers.followResult(S);
    switch (S.Kind) {
    case StepKind::Access:
      if (S.Spot.IsOwn) // nobody else's
        followOwn(S);
      else
        addAccess(S, Block);
      break;
    case StepKind::Call:
    case StepKind::CallThrough:
    case StepKind::Jump:
      addCalleesAccesses(S, Block);
      break;
    case StepKind::End:
      Pointers.addReturned(S, Block);
      break;
    default:
      break;
    }
  }

  void collect(CallEdges *Calls) {
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I) {
      const Block &B = Flow.Blocks[I];
      State.enter(I);
      Tests.enterBlock();
      if (Calls)
        Calls->enterBlock();
      for (const Step &S : Steps.slice(B.First, B.Last - B.First)) {
        followStep(S, I);
        if (Calls)
          Calls->follow(S, I);
        State.transfer(S);
        if (State.isSolved())
          Origins.follow(S, I);
        if (Calls)
          Calls->followTaken(S, I);
      }
      Pointers.endBlock();
    }
  }
};

} // namespace

FoundFacts followRegisters(MutableArrayRef<Step> Steps, const ControlFlow &Flow,
                           const CodeFunction &Function,
                           const Architecture &Arch, const CodeMap &Map,
                           CallsWanted Calls, PointersWanted Pointers) {
  bool Solves =
      Pointers == PointersWanted::All ||
      any_of(Steps, [&](const Step &S) { return formsAddress(S, Map); });
  unsigned Slots = Solves ? nameStackSlots(Steps, Flow, Arch, Map) : 0;
  if (Solves)
    nameMultiples(Steps, Flow);
  return Follower(Steps, Flow, Arch, Map, Solves, Slots, Pointers)
      .follow(Function.Range, Calls);
}

std::optional<uint64_t> findHandedToFirstCall(ArrayRef<Step> Steps,
                                              const ControlFlow &Flow,
                                              const Architecture &Arch,
                                              const CodeMap &Map) {
  return Follower(Steps, Flow, Arch, Map, /*Solves=*/true, /*Slots=*/0,
                  PointersWanted::No)
      .handedToFirstCall();
}

} // namespace linesman::input
