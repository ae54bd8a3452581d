// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps to calls.

#include "CallEdges.h"
#include "ClosureTable.h"
#include "ThreadState.h"
#include "linesman/Facts/KnownCalls.h"
#include "linesman/Facts/KnownThreads.h"
#include "linesman/Facts/LifeCycle.h"
#include "linesman/Facts/Shares.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::CallKind;
using linesman::facts::FunctionRef;
using linesman::layout::AddressRange;
using linesman::layout::SlotSignature;

namespace linesman::input {

static FunctionRef reference(uint64_t Address) {
  return {FunctionRef::Address, Address};
}

/// The functions that a value may be.
SmallVector<uint64_t, 4> CallEdges::functionsIn(const Value &V) const {
  SmallVector<uint64_t, 4> Functions;
  for (const Alternative &A : V.known())
    if ((A.isNumber() || A.isAddress()) && !A.IsMoving &&
        Map.isFunction(A.Place))
      Functions.push_back(A.Place);
  return Functions;
}

FoundCall &CallEdges::add(CallKind Kind, FunctionRef Callee, const Step &S,
                          uint32_t Block) {
  FoundCall &C = Found.emplace_back();
  C.Kind = Kind;
  C.Callee = Callee;
  C.Offset = S.Offset;
  C.Block = Block;
  C.Weight = Flow.Blocks[Block].Frequency;
  return C;
}

void CallEdges::addStart(const Step &S, facts::ThreadStart Start,
                         uint32_t Block) {
  auto Entries = functionsIn(State.argument(Start.Argument));
  for (uint64_t Entry : Entries) {
    FoundCall &Edge = add(CallKind::Start, reference(Entry), S, Block);
    Edge.IsTeam = Start.IsTeam;
    Value Given = State.argument(Start.Argument + 1);
    Edge.IsOneForAll =
        Start.IsTeam || Given.exactAddress() || Given.exactNumber();
    Pointers.addHanded(S, Start.Argument + 1, reference(Entry), 0, Block);
  }
  if (Entries.empty())
    add(CallKind::Start, {}, S, Block).IsTeam = Start.IsTeam;
  Handed.insert_range(Entries);
}

/// What runs once, or at exit, at most.
void CallEdges::addRare(const Step &S, facts::RareCallees Callees,
                        uint32_t Block) {
  SmallVector<uint64_t, 4> Entries;
  for (unsigned I = 0; I != Callees.Count; ++I)
    append_range(Entries, functionsIn(State.argument(Callees.First + I)));
  for (uint64_t Entry : Entries)
    add(CallKind::Direct, reference(Entry), S, Block).Weight *= ColdShare;
  Handed.insert_range(Entries);
  // libstdc++'s std::call_once hands over a function of its own, which calls
  // what the caller has put aside.
  HandsToOnce |= Entries.empty();
}

/// libstdc++'s std::thread.
void CallEdges::addStateStart(const Step &S, uint32_t Block) {
  add(CallKind::Start, {}, S, Block);
  if (LastState.Value) {
    add(CallKind::Start, LastState, S, Block);
    StateStarts.push_back({{LastStateAt}, {S.Offset}});
  }
  Handed.insert(LastState.Value);
}

bool CallEdges::addHandedFunctions(const Step &S, StringRef Name, bool IsOwn,
                                   uint32_t Block) {
  bool IsGiven = false, Starts = !IsOwn && facts::soundsLikeThreadStart(Name);
  for (unsigned I = 0; I != Arch.arguments().size(); ++I)
    for (uint64_t Given : functionsIn(State.argument(I))) {
      Handed.insert(Given);
      if (!IsOwn && facts::callsAtOnce(Name)) {
        add(CallKind::Direct, reference(Given), S, Block);
        continue;
      }
      FoundCall &Edge = add(Starts ? CallKind::Start : CallKind::Address,
                            reference(Given), S, Block);
      Edge.Signature = SlotSignature::Handed;
      // How many threads a pool has is not known.
      Edge.IsTeam = Starts;
      IsGiven = true;
    }
  return IsGiven;
}

void CallEdges::addClosure(const Value &V, uint32_t Offset, uint32_t Block,
                           ClosureUse Use) {
  std::optional<uint64_t> Table = V.exactAddress();
  std::optional<uint64_t> Run = Table ? runOfClosure(*Table, Map) : Table;
  if (!Run)
    return;
  FoundCall &C = Found.emplace_back();
  C.Kind = CallKind::Address;
  C.Callee = reference(*Run);
  C.Offset = Offset;
  C.Block = Block;
  C.Weight = Flow.Blocks[Block].Frequency;
  C.Closure = Use;
}

void CallEdges::addCall(const Step &S, uint32_t Block, uint8_t Slot) {
  StringRef Name = calleeOf(S, Map);
  if (!facts::fillsHandlerRecord(Name))
    CallsAt[S.Offset] = facts::takesHandlerRecord(Name);
  if (auto Start = facts::startedBy(Name))
    return addStart(S, *Start, Block);
  if (auto Once = facts::runRarelyBy(Name))
    return addRare(S, *Once, Block);
  if (Name.starts_with(facts::StdThreadStart))
    addStateStart(S, Block);
  std::optional<uint64_t> Own = ownCalleeOf(S, Map);
  bool IsGiven = addHandedFunctions(S, Name, Own.has_value(), Block);
  if (Own) {
    add(CallKind::Direct, reference(*Own), S, Block);
    for (unsigned I = 0; Map.hasClosures() && I != Arch.arguments().size(); ++I)
      addClosure(State.argument(I), S.Offset, Block, ClosureUse::Handed);
    // What it does by its name is known already.
    if (facts::knownOperands(Name).empty())
      Pointers.addHanded(S, reference(*Own), Block);
  } else if (Name.empty() || facts::runsCallbacks(Name)) {
    add(CallKind::Indirect, {}, S, Block).Signature = Name.empty() ? Slot : 0;
  } else if (IsGiven || facts::waitsForWork(Name) || facts::isSetUp(Name) ||
             facts::endsThreads(Name) || facts::isCostly(Name)) {
    FoundCall &Call = add(CallKind::Direct,
                          {FunctionRef::Name, facts::hashName(Name)}, S, Block);
    if (facts::waitsForWork(Name) && Flow.Blocks[Block].IsOfTurn)
      Call.Weight = std::min(Call.Weight, facts::WaitsPerTurn);
  } else if (facts::makesOrEnds(Name) && State.argument(0).exactAddress()) {
    add(CallKind::Direct,
        {FunctionRef::Name, facts::hashName(facts::StaticMade)}, S, Block);
  }
}

/// Functions whose addresses a store puts somewhere.
void CallEdges::addKept(const Step &S) {
  SmallVector<uint64_t, 4> Kept;
  if (S.Src == NoRegister && Map.isFixed() && S.Size == 8 &&
      Map.isFunction(int64_t(S.Immediate)))
    Kept.push_back(int64_t(S.Immediate));
  else if (S.Src < MostRegisters)
    Kept = functionsIn(State.valueOf(S.Src));
  for (uint64_t Function : Kept) {
    KeptAt[Function].push_back(Slots.at(S.Spot));
    // A record with a name is also reached through a pointer to it.
    if (std::optional<uint64_t> Variable =
            State.evaluate(S.Spot).exactAddress()) {
      std::optional<AddressRange> Around = Map.objectAt(*Variable);
      KeptAt[Function].push_back(SlotSignature::inRecord(
          Around ? *Variable - Around->Begin.Value : 0));
    }
  }
}

void CallEdges::follow(const Step &S, uint32_t Block) {
  // A callee is asked for where the load was, before the step says more.
  uint8_t Callee = Slots.ofCallee(S);
  Slots.follow(S);
  switch (S.Kind) {
  case StepKind::Access:
    if (S.Access == facts::AccessKind::Write && !S.Spot.IsOwn)
      addKept(S);
    break;
  case StepKind::Call:
  case StepKind::CallThrough:
    addCall(S, Block, Callee);
    break;
  case StepKind::Jump:
  case StepKind::Branch:
    // The last call of a function.
    if (!Function.contains({uint64_t(S.Spot.Disp)}) &&
        (Map.isFunction(S.Spot.Disp) || !calleeOf(S, Map).empty()))
      addCall(S, Block, Callee);
    break;
  case StepKind::IndirectJump:
    // Without cases it is no switch, but a last call as well.
    if (Flow.Blocks[Block].Successors.empty())
      addCall(S, Block, Callee);
    break;
  default:
    break;
  }
}

void CallEdges::followTaken(const Step &S, uint32_t Block) {
  if (S.Kind != StepKind::Add && S.Kind != StepKind::Load &&
      S.Kind != StepKind::Select)
    return;
  if (S.Kind == StepKind::Load && S.Spot.IsAddress &&
      facts::isEnvironment(Map.calleeThrough(S.Spot.Disp)))
    add(CallKind::Direct, {FunctionRef::Name, facts::hashName("getenv")}, S,
        Block);
  Value Now = State.valueOf(S.Dst);
  if (Map.hasClosures())
    addClosure(Now, S.Offset, Block, ClosureUse::Taken);
  for (uint64_t A : functionsIn(Now))
    Taken.push_back({CallKind::Address, reference(A), false, S.Offset, Block});
  if (std::optional<uint64_t> Table = Now.exactAddress())
    if (auto Run = runOfThreadState(*Table, Arch, Map)) {
      LastState = reference(*Run);
      LastStateAt = S.Offset;
    }
}

/// Whether a function that is taken at \p Offset goes into a thread's state.
bool CallEdges::isStates(uint32_t Offset) const {
  return any_of(StateStarts, [&](AddressRange R) {
    return Offset + 64 >= R.Begin.Value && Offset < R.End.Value;
  });
}

/// Whether a function's address that is taken at \p Offset, and kept on the
/// stack, is a handler of signals: its record is handed over next.
bool CallEdges::isHandler(uint32_t Offset) const {
  auto Next = CallsAt.upper_bound(Offset);
  return Next != CallsAt.end() && Next->second;
}

/// What is given to nobody is kept somewhere.
void CallEdges::keepTaken(FoundCall Edge) {
  auto Position = KeptAt.find(Edge.Callee.Value);
  bool IsKept = Position != KeptAt.end();
  if (HandsToOnce || (!IsKept && isHandler(Edge.Offset))) {
    Edge.Kind = CallKind::Direct;
    Edge.Weight = ColdShare;
  }
  if (IsKept && isStates(Edge.Offset)) {
    Edge.Kind = CallKind::Start;
    Edge.IsTeam = StateStarts.size() > 1;
    IsKept = false;
  }
  Edge.Signature = SlotSignature::Handed;
  if (!IsKept)
    Found.push_back(Edge);
  else
    for (uint8_t Slot : Position->second) {
      Edge.Signature = Slot;
      Found.push_back(Edge);
    }
}

void CallEdges::finish() {
  for (const FoundCall &T : Taken)
    if (Handed.insert(T.Callee.Value).second)
      keepTaken(T);
}

} // namespace linesman::input
