// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of registers to uses of pointers.

#include "PointerUses.h"
#include "OnceCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::Origin;
using linesman::facts::PointerUse;

namespace linesman::input {

/// Tests of one function that are looked at: each costs a walk over its blocks.
static constexpr size_t MostGuards = 16;

uint64_t PointerUses::objectOf(uint64_t Address) const {
  std::optional<layout::AddressRange> Object = Map.objectAt(Address);
  return Object ? Object->Begin.Value : Address;
}

/// Not where the base may be in front of the array, as in &a[n - 1]: then a
/// second element begins behind what the base is in.
bool PointerUses::isElement(const Alternative &A) const {
  if (!A.IsMoving || A.stride() < 2)
    return false;
  std::optional<layout::AddressRange> Object = Map.objectAt(A.Place);
  return Object && uint64_t(A.Place) + A.stride() < Object->End.Value;
}

/// \p First is where the element with the number 0 is.
static void setElement(PointerUse &Use, int64_t First, const Alternative &A) {
  Use.Offset = std::nullopt;
  const bool HasSteps =
      Use.Kind == PointerUse::Access || Use.Kind == PointerUse::Handed;
  if (int64_t Stride = A.stride(); HasSteps && Stride > 1)
    Use.Steps = {uint64_t(Stride), facts::firstPlace(First, Stride),
                 bool(A.IsByFirst)};
}

bool PointerUses::addEach(const Step &S, const Value &Subject, PointerUse Like,
                          uint32_t Block) {
  bool HasOthers = Subject.hasOther();
  // Of several addresses, and of several places behind one pointer, each is
  // taken at some time; beside what is not known one may only be there for a
  // way that nobody goes.
  const uint8_t First =
      Subject.known().empty() ? Base::Number : Subject.known()[0].Source;
  Like.IsMay = HasOthers || any_of(Subject.known(), [&](const Alternative &A) {
                 return A.Source != First;
               });
  Like.Weight =
      Flow.Blocks[Block].Frequency / std::max(1u, Subject.alternatives());
  for (const Alternative &A : Subject.known()) {
    PointerUse Use = Like;
    if (A.isAddress()) {
      const bool IsHanded = Use.Kind == PointerUse::Handed;
      if (Use.Kind == PointerUse::Access || !Map.isData(A.Place) ||
          (A.IsMoving && !(IsHanded && isElement(A))))
        continue;
      // Beside what is not known an address is too often of a way that nobody
      // goes, behind a call that does not return.
      if (IsHanded && Like.IsMay) {
        HandsPerhaps = true;
        continue;
      }
      Use.Source.Kind = Origin::Object;
      Use.Source.Value = objectOf(A.Place);
      Use.Offset = A.Place - int64_t(Use.Source.Value);
      if (A.IsMoving)
        setElement(Use, *Use.Offset, A);
    } else if (A.isNumber()) {
      HasOthers |= A.IsMoving;
      continue;
    } else if (Wanted == PointersWanted::All) {
      Use.Source = State.originOf(A);
      Use.Offset = A.Place;
      if (A.IsMoving)
        setElement(Use, A.Place, A);
    } else {
      HasOthers = true;
      continue;
    }
    FoundUse &F = Found.emplace_back();
    F.Use = Use;
    F.Offset = S.Offset;
    F.Block = Block;
    F.Source = A.Source;
  }
  return HasOthers;
}

void PointerUses::addAccess(const Step &S, const Value &Address,
                            facts::AccessKind Kind, uint64_t Size,
                            uint32_t Block) {
  if (Wanted != PointersWanted::All)
    return;
  PointerUse Use;
  Use.Kind = PointerUse::Access;
  Use.Does = Kind;
  Use.IsLock =
      Kind == facts::AccessKind::Atomic && facts::isLockCall(calleeOf(S, Map));
  Use.Size = Size;
  addEach(S, Address, Use, Block);
}

/// Of what is no place with an address: through a pointer.
void PointerUses::addThrough(const Step &S, const Value &Address,
                             const Value &Moved, uint32_t Block) {
  const bool Stores = S.Access != facts::AccessKind::Read;
  if (Wanted != PointersWanted::All) {
    auto IsObject = [&](const Alternative &A) {
      return A.isAddress() && !A.IsMoving && Map.isData(A.Place);
    };
    bool IsNamed = !Address.hasOther() && all_of(Address.known(), IsObject);
    StoresThrough |= Stores && !IsNamed && any_of(Moved.known(), IsObject);
    return;
  }
  for (const Alternative &A : Address.known()) {
    if (A.isAddress() || A.isNumber() || A.IsMoving ||
        !isInt<32>(int64_t(A.Place)))
      continue;
    PointerUse Use;
    if (Stores) {
      Use.Kind = PointerUse::StoredThrough;
      Use.Destination = State.originOf(A);
      Use.Distance = int32_t(A.Place);
      if (!addEach(S, Moved, Use, Block))
        continue;
      // Something else is stored, too.
      Use.Source = Origin();
    } else {
      Use.Kind = PointerUse::LoadedThrough;
      Use.Source = State.originOf(A);
      Use.Offset = A.Place;
      Use.Destination.Kind = Origin::Loaded;
      Use.Destination.Value = S.Offset;
    }
    FoundUse &F = Found.emplace_back();
    F.Use = Use;
    F.Offset = S.Offset;
    F.Block = Block;
    F.Source = A.Source;
  }
}

void PointerUses::addMoved(const Step &S, uint32_t Block) {
  if (Wanted == PointersWanted::No || S.Size != PointerSize)
    return;
  bool Loads = S.Access == facts::AccessKind::Read && S.Dst < MostRegisters;
  // An exchange stores a pointer as well; so does a store that all threads see
  // in one order.
  bool Stores =
      S.Access == facts::AccessKind::Write ||
      (S.Access == facts::AccessKind::Atomic && S.Src < MostRegisters);
  Value Moved;
  if (Stores && S.Src < MostRegisters)
    Moved = State.valueOf(S.Src);
  else if (Stores && S.Src == NoRegister && Map.isAbsolute(S.Immediate))
    Moved = Value::address(S.Immediate);
  else if (Stores && S.Src == UnknownRegister)
    Moved = Value::unknown();
  else if (!Loads)
    return;
  Value Address = State.evaluate(S.Spot);
  addThrough(S, Address, Moved, Block);
  for (const Alternative &A : Address.known()) {
    if (!A.isAddress() || !Map.isData(A.Place))
      continue;
    PointerUse Use;
    Use.Kind = PointerUse::Stored;
    Use.Destination.Kind = Origin::Variable;
    Use.Destination.Value = objectOf(A.Place);
    if (!A.IsMoving)
      Use.Destination.Offset = A.Place - Use.Destination.Value;
    if (Loads)
      Loaded.insert(Use.Destination.Value);
    else
      addEach(S, Moved, Use, Block);
  }
}

void PointerUses::addHanded(const Step &S, unsigned Argument,
                            facts::FunctionRef Target, uint32_t Parameter,
                            uint32_t Block) {
  if (Wanted == PointersWanted::No || Argument >= Arch.arguments().size())
    return;
  PointerUse Use;
  Use.Kind = PointerUse::Handed;
  Use.Callee = Target;
  Use.Parameter = Parameter;
  addEach(S, State.valueOf(Arch.arguments()[Argument]), Use, Block);
}

void PointerUses::addHanded(const Step &S, facts::FunctionRef Callee,
                            uint32_t Block) {
  LastCallee = Callee.Value;
  for (unsigned I = 0; I != Arch.arguments().size() && State.isSolved(); ++I)
    addHanded(S, I, Callee, I, Block);
  // What a last call returns is returned.
  if (Wanted != PointersWanted::All ||
      (S.Kind != StepKind::Jump && S.Kind != StepKind::Branch))
    return;
  FoundUse &F = Found.emplace_back();
  F.Use.Kind = PointerUse::Returned;
  F.Use.Source.Kind = Origin::Result;
  F.Use.Source.Function = Callee;
  F.Use.Source.Value = S.Offset;
  F.Offset = S.Offset;
  F.Block = Block;
}

void PointerUses::addReturned(const Step &S, uint32_t Block) {
  if (Wanted == PointersWanted::No || S.Dst >= MostRegisters)
    return;
  PointerUse Use;
  Use.Kind = PointerUse::Returned;
  if (!addEach(S, State.valueOf(S.Dst), Use, Block))
    return;
  FoundUse &F = OtherResults.emplace_back();
  F.Use = Use;
  F.Offset = S.Offset;
  F.Block = Block;
}

void PointerUses::addTest(const Step &Compare, const Step &Branch,
                          uint32_t Block) {
  const auto &Next = Flow.Blocks[Block].Successors;
  if (Wanted != PointersWanted::All || Tests.size() == MostGuards ||
      Branch.If == Condition::Other || Next.size() != 2)
    return;
  Value Sides[] = {State.valueOf(Compare.Dst), State.evaluate(Compare.Spot)};
  for (unsigned I : {0, 1}) {
    const Alternative *Pointer = Sides[I].single();
    std::optional<uint64_t> Address = Sides[1 - I].exactAddress();
    if (!Pointer || !Address || Pointer->isNumber() || Pointer->isAddress())
      continue;
    // The first successor of a branch is its target (ControlFlow.cpp).
    Tests.push_back({Block, Next[Branch.If == Condition::Zero], Pointer->Source,
                     *Address - Pointer->Place});
  }
}

void PointerUses::followResult(const Step &S) {
  if (Wanted == PointersWanted::No)
    return;
  const Register Result = Arch.result();
  bool Uses = S.Spot.Base == Result || S.Spot.Index == Result ||
              S.Src == Result ||
              ((S.Kind == StepKind::Test || S.Kind == StepKind::Compare) &&
               S.Dst == Result);
  bool Changes = S.Clobbers >> Result & 1 || S.Dst == Result;
  if (LastCallee && Uses)
    UsedResults.insert(LastCallee);
  if (Uses || Changes)
    LastCallee = 0;
}

void PointerUses::endBlock() {
  if (LastCallee)
    UsedResults.insert(LastCallee);
  LastCallee = 0;
}

std::vector<FoundUse> PointerUses::take() {
  for (const IdentityTest &Test : Tests) {
    std::vector<bool> Others =
        reachWithout(Flow, Edge(Test.Block, Test.IfOther));
    for (FoundUse &F : Found)
      if (!Others[F.Block] && F.Source == Test.Source)
        F.Use.Except = Test.Address;
  }
  // A result that is never an object's address needs no word.
  if (any_of(Found, [](const FoundUse &F) {
        return F.Use.Kind == PointerUse::Returned;
      }))
    append_range(Found, OtherResults);
  return std::move(Found);
}

} // namespace linesman::input
