// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a pointer to the type of the object that it points into.
//
//  1. Address arithmetic leads to a root: an argument, what was loaded, or an
//     element of an array whose index is not constant.
//  2. Tags of accesses, structs of GEPs, variables of debug info and tags of
//     loaded pointers say what is at a root, each at an offset.
//  3. The largest of those that an access fits into is its object's type; one
//     that does not contain what the access's own tag says is none.
//
// Left out: variables (they have facts of their own), the stack, constructors'
// and destructors' own objects, and what is done to a new object as often as it
// is made: that is its initialisation.

#include "HeldLocks.h"
#include "RecordAccesses.h"
#include "Strides.h"
#include "linesman/Facts/KnownCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace linesman::facts;

/// Constructors and destructors of the Itanium ABI: "...C2Ev", "...D0Ev". A
/// function with such an end in its name is taken for one, too.
static bool isStructor(StringRef Name) {
  if (!Name.starts_with("_ZN"))
    return false;
  for (StringRef Mark : {"C1E", "C2E", "D0E", "D1E", "D2E"})
    if (Name.contains(Mark))
      return true;
  return false;
}

RecordAccessCollector::RecordAccessCollector(const Function &F,
                                             RecordTypes &Types)
    : F(F), DL(F.getParent()->getDataLayout()), Types(Types),
      IsStructor(isStructor(F.getName())) {
  if (F.getSubprogram())
    readVariables();
}

void RecordAccessCollector::readVariables() {
  for (const Instruction &I : instructions(F))
    for (const DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange())) {
      if (R.getNumVariableLocationOps() != 1 ||
          R.getExpression()->getNumElements() != 0)
        continue;
      const Value *Location = R.getVariableLocationOp(0);
      if (!Location || !Location->getType()->isPointerTy() ||
          isa<Constant>(Location))
        continue;
      auto &Chosen = R.getType() == DbgVariableRecord::LocationType::Declare
                         ? Slots
                         : Pointees;
      if (auto Type = Types.ofPointee(R.getVariable()->getType()))
        if (auto &All = Chosen[Location]; !is_contained(All, *Type))
          All.push_back(*Type);
    }
}

/// Past an index that is not constant; false where there are several.
bool RecordAccessCollector::stepOverIndex(const GEPOperator &GEP,
                                          Place &Spot) const {
  unsigned Bits = DL.getIndexTypeSizeInBits(GEP.getType());
  IndexMap Variables;
  APInt Constant(Bits, 0);
  if (!GEP.collectOffset(DL, Bits, Variables, Constant) ||
      Variables.size() != 1)
    return false;
  Spot.Offset += Constant.getSExtValue();
  Spot.Start = {GEP.getPointerOperand(), Variables.front().first,
                Variables.front().second.abs().getZExtValue()};
  return true;
}

/// The pointer that this one is made of without arithmetic; null if it is not.
static const Value *lookThrough(const Value *V) {
  if (const auto *Freeze = dyn_cast<FreezeInst>(V))
    return Freeze->getOperand(0);
  // Clang launders pointers to objects with virtual functions.
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(V))
    return Intrinsic->isLaunderOrStripInvariantGroup()
               ? Intrinsic->getArgOperand(0)
               : nullptr;
  const auto *Op = dyn_cast<Operator>(V);
  return Op && Op->getOpcode() == Instruction::AddrSpaceCast ? Op->getOperand(0)
                                                             : nullptr;
}

RecordAccessCollector::Place
RecordAccessCollector::findPlace(const Value *V) const {
  constexpr unsigned MostSteps = 16;
  Place Spot{{V}, 0, {}};
  for (unsigned Steps = 0; Steps != MostSteps; ++Steps) {
    Spot.Start = {V};
    if (const Value *Same = lookThrough(V)) {
      V = Same;
      continue;
    }
    const auto *GEP = dyn_cast<GEPOperator>(V);
    if (!GEP)
      break;
    APInt Delta(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
    bool IsConstant = GEP->accumulateConstantOffset(DL, Delta);
    if (IsConstant)
      Spot.Offset += Delta.getSExtValue();
    else if (!stepOverIndex(*GEP, Spot))
      break;
    if (auto *Struct = dyn_cast<StructType>(GEP->getSourceElementType());
        Struct &&
        (IsConstant ||
         Spot.Start.Stride == DL.getTypeAllocSize(Struct).getFixedValue()))
      if (auto Type = Types.ofStruct(Struct, DL))
        Spot.Enclosing.push_back({*Type, Spot.Offset});
    if (!IsConstant)
      break;
    V = GEP->getPointerOperand();
  }
  // They were noted by their distance from the access.
  for (auto &[Type, Begin] : Spot.Enclosing)
    Begin = Spot.Offset - Begin;
  return Spot;
}

/// Nobody else's, or a variable's, which has facts of its own.
bool RecordAccessCollector::isPrivate(const Value *Object) const {
  if (isa<AllocaInst, Constant>(Object))
    return true;
  const auto *A = dyn_cast<Argument>(Object);
  return A && (A->hasByValAttr() || A->hasStructRetAttr() ||
               (IsStructor && A->getArgNo() == 0));
}

void RecordAccessCollector::addCandidate(Candidates &Chosen, Candidate New) {
  if (none_of(Chosen, [&](const Candidate &C) {
        return C.Type == New.Type && C.Begin == New.Begin;
      }))
    Chosen.push_back(New);
}

/// What is known at a root by itself.
RecordAccessCollector::Candidates &
RecordAccessCollector::candidatesAt(const Root &Start) {
  auto [It, IsNew] = Known.try_emplace(Start.key());
  Candidates &Result = It->second;
  if (!IsNew)
    return Result;
  SmallVector<TypeNumber, 2> Found;
  auto AddAll = [&](const TypesOf &Listed, const Value *Pointer) {
    if (auto It = Listed.find(Pointer); It != Listed.end())
      append_range(Found, It->second);
  };
  AddAll(Pointees, Start.Pointer);
  if (const auto *Load = dyn_cast<LoadInst>(Start.Pointer)) {
    AddAll(Slots, Load->getPointerOperand());
    if (auto Type = Types.ofPointerTag(Load->getMetadata(LLVMContext::MD_tbaa)))
      Found.push_back(*Type);
  }
  // An element is of the pointer's type if it is as large.
  for (TypeNumber Type : Found)
    if (!Start.Index || Types[Type].Size == Start.Stride)
      addCandidate(Result, {Type, 0});
  return Result;
}

void RecordAccessCollector::add(const Instruction &I, const Value *Pointer,
                                AccessKind Kind, uint64_t Size) {
  if (isa<AllocaInst, Constant>(Pointer))
    return;
  Place Spot = findPlace(Pointer);
  const Value *Object = Spot.Start.Index || Spot.Start.Stride
                            ? getUnderlyingObject(Spot.Start.Pointer)
                            : Spot.Start.Pointer;
  if (isPrivate(Object))
    return;
  Noted New{&I,    Spot.Start, Spot.Offset,  Kind,   Size,
            false, false,      std::nullopt, nullptr};
  New.IsSynchronised = Kind == AccessKind::Atomic || I.isAtomic();
  if (isNoAliasCall(Object))
    New.Maker = cast<Instruction>(Object);

  Candidates &Begun = candidatesAt(Spot.Start);
  for (const auto &[Type, Begin] : Spot.Enclosing)
    addCandidate(Begun, {Type, Begin});
  if (isa<LoadInst, StoreInst>(I))
    if (auto Tagged = Types.ofTag(I.getMetadata(LLVMContext::MD_tbaa))) {
      New.Own = Candidate{Tagged->Type, Spot.Offset - int64_t(Tagged->Offset)};
      addCandidate(Begun, *New.Own);
      // Elements are as far apart as they are large.
      KnownType &T = Types[Tagged->Type];
      if (!T.Size && Spot.Start.Stride > T.LastMember && New.Own->Begin == 0)
        T.Size = Spot.Start.Stride;
    }
  if (const auto *Call = dyn_cast<CallBase>(&I))
    if (const Function *Callee = Call->getCalledFunction()) {
      New.IsLock = Kind == AccessKind::Atomic && isLockCall(Callee->getName());
      if (auto Lock = lockOf(Callee->getName());
          Lock && Lock->Size == Spot.Start.Stride && Spot.Offset == 0)
        addCandidate(Begun, {Types.ofLock(Lock->Type, Lock->Size), 0});
    }
  Accesses.push_back(std::move(New));
}

/// From an object's begin; of an element the same in each one.
int64_t RecordAccessCollector::offsetIn(const Candidate &Object,
                                        const Noted &Access) const {
  int64_t Offset = Access.Offset - Object.Begin;
  int64_t Size = Types[Object.Type].Size;
  if (!Access.Start.Index || !Size || uint64_t(Size) != Access.Start.Stride)
    return Offset;
  return (Offset % Size + Size) % Size;
}

/// The largest object that the access fits into; a library's or a lambda's
/// only where there is no other: the atomic or the tree's node around it is
/// none of the reader's types.
std::optional<RecordAccessCollector::Candidate>
RecordAccessCollector::choose(const Noted &Access) const {
  std::optional<Candidate> Best = Access.Own;
  auto It = Known.find(Access.Start.key());
  if (It == Known.end())
    return Best;
  for (const Candidate &C : It->second) {
    const KnownType &T = Types[C.Type];
    if (!T.covers(offsetIn(C, Access), Access.Size))
      continue;
    if (Access.Own &&
        !Types.contains(C.Type, Access.Own->Type, Access.Own->Begin - C.Begin))
      continue;
    auto rank = [&](const KnownType &Any) {
      return std::pair(!Any.IsLibrarys && !Any.IsClosure, Any.extent());
    };
    if (!Best || rank(T) > rank(Types[Best->Type]))
      Best = C;
  }
  return Best;
}

/// The element of an array that is a member of a record.
bool RecordAccessCollector::resolveIndexed(const Noted &Access, Found &Result) {
  if (!Access.Start.Index)
    return false;
  Place Array = findPlace(Access.Start.Pointer);
  Noted Around = Access;
  Around.Start = Array.Start;
  Around.Offset = Array.Offset;
  Around.Own.reset();
  Candidates &Begun = candidatesAt(Array.Start);
  for (const auto &[Type, Begin] : Array.Enclosing)
    addCandidate(Begun, {Type, Begin});
  std::optional<Candidate> Outer = choose(Around);
  if (!Outer)
    return false;
  Result.Type = Outer->Type;
  Result.Access.Offset = Array.Offset - Outer->Begin;
  Result.Access.IsIndexed = true;
  return true;
}

void RecordAccessCollector::resolve(const Noted &Access) {
  Found Result{Access.I, 0, {}, Access.Maker};
  Result.Access.Kind = Access.Kind;
  Result.Access.Size = Access.Size;
  Result.Access.IsSynchronised = Access.IsSynchronised;
  Result.Access.IsLock = Access.IsLock;
  if (std::optional<Candidate> Object = choose(Access)) {
    Result.Type = Object->Type;
    uint64_t Offset = offsetIn(*Object, Access);
    const KnownType &T = Types[Object->Type];
    if (Access.Start.Index) {
      Result.Access.IsElement = T.Size && T.Size == Access.Start.Stride;
      // An array of elements in a part of it.
      if (!Result.Access.IsElement && T.Size > Access.Start.Stride)
        Result.Access.IsIndexed = true;
    }
    if (!T.Size || Offset < T.Size)
      Result.Access.Offset = Offset;
  } else if (!resolveIndexed(Access, Result)) {
    return;
  }
  KnownType &T = Types[Result.Type];
  if (T.IsLibrarys &&
      !(Result.Access.IsSynchronised && Result.Access.IsElement))
    return;
  // An aligned member tells of its record. What is known of a new object is
  // its allocator's alignment.
  if (Access.Own && !Access.Maker && Result.Access.Offset)
    if (uint64_t Bytes =
            getLoadStoreAlignment(const_cast<Instruction *>(Access.I)).value();
        *Result.Access.Offset % Bytes == 0)
      T.Alignment = std::max(T.Alignment, Bytes);
  Resolved.push_back(std::move(Result));
}

void RecordAccessCollector::resolve() {
  for (const Noted &Access : Accesses)
    resolve(Access);
  Accesses = {};
  Known.clear();
  Pointees.clear();
  Slots.clear();
}

std::vector<RecordAccesses>
RecordAccessCollector::weigh(BlockWeights &Weights, const CallOrder *Order,
                             const HeldLocks *Held) const {
  std::vector<RecordAccesses> Records;
  SmallDenseMap<TypeNumber, size_t, 8> IndexOf;
  for (const Found &A : Resolved) {
    TypeAccess Weighed = A.Access;
    Weighed.Weight = Weights.perEntry(*A.I->getParent());
    if (A.Maker && Weighed.Weight <= Weights.perEntry(*A.Maker->getParent()))
      continue;
    if (!Weights.areCounted())
      Weighed.Weight *= shareOfChanges(*A.I);
    auto [It, IsNew] = IndexOf.try_emplace(A.Type, Records.size());
    if (IsNew)
      Records.push_back({A.Type, {}});
    setSource(Weighed, *A.I);
    if (Order)
      Weighed.StagesBefore = Order->stagesBefore(*A.I);
    Weighed.IsUnlocked = Held && !Held->at(*A.I);
    Records[It->second].Accesses.push_back(Weighed);
  }
  for (RecordAccesses &R : Records)
    mergeEqual(R.Accesses);
  return Records;
}
