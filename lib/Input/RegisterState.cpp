// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data flow's transfer function and its fixed point.

#include "RegisterState.h"
#include "llvm/ADT/PriorityQueue.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::Origin;

namespace linesman::input {

/// Visits of one block until its registers are given up: the lattice is
/// finite, but nobody waits for corrupt code. Compiled code needs four.
static constexpr unsigned MostVisits = 32;

Value RegisterState::valueOf(Register R) const {
  if (R == NoRegister)
    return Value::number(0);
  return isPlace(R) ? State[placeOf(R)] : Value::unknown();
}

Value RegisterState::evaluate(const Place &Spot) const {
  if (Spot.Index == NoRegister)
    return valueOf(Spot.Base).plus(Spot.Disp, Spot.IsAddress);
  Value Base = valueOf(Spot.Base), Index = valueOf(Spot.Index);
  uint64_t Times = uint64_t(Spot.Times) << Spot.Shift;
  if (Spot.Factor != NoRegister) {
    // Either of them may be the number.
    Value Factor = valueOf(Spot.Factor);
    if (Index.exactNumber())
      std::swap(Index, Factor);
    uint64_t Number = Factor.exactNumber().value_or(0);
    bool IsKnown = Number && Number < 1u << MostShift;
    return Base.plus(Spot.Disp, Spot.IsAddress)
        .plusIndex(IsKnown ? Index : Value::unknown(), IsKnown ? Number : 1);
  }
  // lea rax, [rcx + 8*rcx]
  if (Spot.Base == Spot.Index && Spot.Base < Registers && !Base.mayBeAddress())
    return Value::number(0)
        .plus(Spot.Disp, Spot.IsAddress)
        .plusIndex(Index, Times + 1);
  // lea rax, [rcx + rdx] does not say which of them is the base.
  if (Times == 1 && Index.mayBeAddress() && !Base.mayBeAddress())
    std::swap(Base, Index);
  return Base.plus(Spot.Disp, Spot.IsAddress).plusIndex(Index, Times);
}

Origin RegisterState::originOf(const Alternative &A) const {
  if (A.isLoaded())
    return LoadedOrigins[A.Source - Base::FirstLoaded].Known;
  unsigned Number = A.Source - Base::Parameter;
  if (Number >= Arch.arguments().size())
    return Origins[Number - Arch.arguments().size()].Known;
  Origin Source;
  Source.Kind = Origin::Parameter;
  Source.Value = Number;
  return Source;
}

/// Many of one function say little about each.
Value RegisterState::intern(Origin Source, uint32_t Offset) {
  auto It = find_if(Origins, [&](const KnownOrigin &O) {
    return O.Known.Kind == Source.Kind && O.Known.Value == Source.Value &&
           O.Known.Offset == Source.Offset && O.Offset == Offset;
  });
  size_t Number =
      Base::Parameter + Arch.arguments().size() + size_t(It - Origins.begin());
  if (Number >= Base::FirstLoaded)
    return Value::unknown();
  if (It == Origins.end())
    Origins.push_back({Source, Offset});
  return Value::from(uint8_t(Number), 0);
}

Value RegisterState::internLoaded(Origin Source, uint32_t Offset) {
  auto It = find_if(LoadedOrigins,
                    [&](const KnownOrigin &O) { return O.Offset == Offset; });
  size_t Number = Base::FirstLoaded + size_t(It - LoadedOrigins.begin());
  if (Number >= Base::Most)
    return Value::unknown();
  if (It == LoadedOrigins.end())
    LoadedOrigins.push_back({Source, Offset});
  return Value::from(uint8_t(Number), 0);
}

/// A load through several pointers loads one value of all of them.
Value RegisterState::loadThrough(const Alternative &Pointer, const Step &S) {
  if (Wanted != OriginsWanted::All || Pointer.isNumber() || Pointer.IsMoving)
    return Value::unknown();
  Origin Source;
  Source.Kind = Origin::Loaded;
  Source.Value = S.Offset;
  Source.Offset = Pointer.Place;
  return internLoaded(Source, S.Offset);
}

Value RegisterState::loadVariable(const Alternative &Choice) {
  if (Wanted != OriginsWanted::All || !Map.isData(Choice.Place))
    return Value::unknown();
  std::optional<layout::AddressRange> Object = Map.objectAt(Choice.Place);
  Origin Source;
  Source.Kind = Origin::Variable;
  Source.Value = Object ? Object->Begin.Value : Choice.Place;
  if (!Choice.IsMoving)
    Source.Offset = Choice.Place - Source.Value;
  return intern(Source, 0);
}

Value RegisterState::load(const Value &Source, const Step &S) {
  // What differs between threads leads to what differs.
  if (Wanted != OriginsWanted::All && Source.isByFirst())
    return Value::anyByFirst();
  if (S.Size && S.Size != PointerSize)
    return Value::unknown();
  Value Loaded;
  for (const Alternative &A : Source.known()) {
    std::optional<uint64_t> Pointer;
    if (A.isAddress() && !A.IsMoving)
      Pointer = Map.pointerAt(A.Place);
    if (!Pointer || !Map.isConstant(A.Place))
      Loaded.join(A.isAddress() ? loadVariable(A) : loadThrough(A, S),
                  JoinKind::Forward, Map);
    if (Pointer)
      Loaded.join(Value::address(*Pointer), JoinKind::Forward, Map);
  }
  if (Source.hasOther())
    Loaded.join(Value::unknown(), JoinKind::Forward, Map);
  return Loaded;
}

Value RegisterState::resultOf(const Step &Call) {
  if (Wanted != OriginsWanted::All)
    return Value::unknown();
  Origin Source;
  Source.Kind = Origin::Result;
  Source.Value = Call.Offset;
  std::optional<uint64_t> Callee = ownCalleeOf(Call, Map);
  if (!Callee)
    return internLoaded(Source, Call.Offset);
  Source.Function = {facts::FunctionRef::Address, *Callee};
  return intern(Source, Call.Offset + 1);
}

void RegisterState::clobber(uint32_t Mask) {
  for (unsigned R = 0; R != Registers; ++R)
    if (Mask >> R & 1)
      State[R] = Value::unknown();
}

void RegisterState::transfer(const Step &S) {
  switch (S.Kind) {
  case StepKind::Clobber:
    clobber(S.Clobbers);
    break;
  case StepKind::Call:
  case StepKind::CallThrough:
    clobber(S.Clobbers);
    if (S.Clobbers >> Arch.result() & 1)
      State[Arch.result()] = resultOf(S);
    break;
  case StepKind::Add:
    State[placeOf(S.Dst)] = evaluate(S.Spot);
    break;
  case StepKind::Load:
    State[placeOf(S.Dst)] = load(evaluate(S.Spot), S);
    break;
  case StepKind::Reload:
    State[placeOf(S.Dst)] = Value::unknown();
    break;
  case StepKind::Select:
    State[placeOf(S.Dst)].join(evaluate(S.Spot), JoinKind::Forward, Map);
    break;
  default:
    break;
  }
}

void RegisterState::enter(uint32_t Block) {
  if (Values.empty())
    State.assign(Places, Value::unknown());
  else
    State.assign(Values.begin() + Block * Places,
                 Values.begin() + (Block + 1) * Places);
}

void RegisterState::solve() {
  Values.resize(Flow.Blocks.size() * Places);
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
      std::fill_n(Values.begin() + I * Places, Places, Value::unknown());
      Add(I);
    }
  // A jump back to the entry joins with these.
  if (!Flow.Blocks.empty() && Wanted != OriginsWanted::No)
    for (auto [I, R] : enumerate(Arch.arguments().take_front(
             Wanted == OriginsWanted::All ? Arch.arguments().size() : 1)))
      Values[R] = Value::from(uint8_t(Base::Parameter + I), 0);
  while (!Waiting.empty()) {
    uint32_t I = Flow.Order[Waiting.top()];
    Waiting.pop();
    IsWaiting[I] = false;
    ++Visits[I];
    enter(I);
    const Block &B = Flow.Blocks[I];
    for (const Step &S : Steps.slice(B.First, B.Last - B.First))
      transfer(S);
    for (uint32_t Target : B.Successors) {
      JoinKind Kind = Flow.Blocks[Target].Order <= B.Order ? JoinKind::Backward
                                                           : JoinKind::Forward;
      bool Changed = false;
      const bool IsLate = Visits[Target] >= MostVisits;
      for (unsigned R = 0; R != Places; ++R) {
        Value &Address = Values[size_t(Target) * Places + R];
        // What was given up stays so: two blocks would tell each other of
        // their alternatives for ever.
        if ((IsLate && Address.isUnknown()) ||
            !Address.join(State[R], Kind, Map))
          continue;
        Changed = true;
        if (IsLate)
          Address = Value::unknown();
      }
      if (Changed)
        Add(Target);
    }
  }
}

} // namespace linesman::input
