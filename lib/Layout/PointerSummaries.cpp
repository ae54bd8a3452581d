// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Summaries are made on demand and kept: most parameters are never given the
// address of an object with a symbol. A recursion is cut where it comes back to
// a parameter that is being summarised: one more round accesses nothing new.

#include "PointerSummaries.h"
#include "linesman/Layout/Roles.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::PointerUse;

namespace linesman::layout {

/// Calls in each other, and functions that are looked at for one question.
/// Beyond that, what was found by then is all.
static constexpr unsigned MostNestedCalls = 32, MostFunctions = 2000;
/// Beyond this many accesses only their kind counts.
static constexpr size_t MostAccesses = 256;
/// Beyond this many, not each place in the code counts by itself.
static constexpr size_t MostPlaces = 32;

Summaries::Summaries(const PointerTable &Table) : Table(Table) {
  for (const FunctionUses &Function : Table.functions()) {
    if (Function.User == NoNode)
      continue;
    if (Function.User >= UsesOf.size())
      UsesOf.resize(Function.User + 1);
    UsesOf[Function.User] = {Function.Begin, Function.End};
  }
}

static void forgetPlace(SummaryAccess &A) {
  A.Site = NoNode;
  A.File = 0;
  A.Line = 0;
  A.Instruction = 0;
}

/// Adds up what differs in weight only; of many, also what is done at different
/// places in the code: the heaviest one stands for the others.
static void merge(Summary &All) {
  if (All.size() < 2)
    return;
  const bool IsLong = All.size() > MostPlaces;
  if (IsLong)
    llvm::stable_sort(All, [](const SummaryAccess &A, const SummaryAccess &B) {
      return A.Weight > B.Weight;
    });
  Interned<SummaryAccess> Known;
  Summary Merged;
  for (SummaryAccess &A : All) {
    SummaryAccess Like = A;
    if (IsLong)
      forgetPlace(Like);
    if (Merged.size() >= MostAccesses && !Known.contains(Like)) {
      A.Spot = Displacement::anywhere();
      A.Size = 0;
      A.Except.clear();
      forgetPlace(A);
      Like = A;
    }
    uint32_t Number = Known.intern(Like);
    if (Number == Merged.size())
      Merged.push_back(A);
    else
      Merged[Number].Weight =
          std::min(Merged[Number].Weight + A.Weight, MaxWeight);
  }
  All = std::move(Merged);
}

static void addException(SummaryAccess &A, uint64_t Address) {
  if (Address && !is_contained(A.Except, Address))
    A.Except.push_back(Address);
}

bool Summaries::summarise(uint32_t Parameter, unsigned Depth, Summary &Result) {
  if (auto It = Done.find(Parameter); It != Done.end()) {
    Result = It->second;
    return true;
  }
  const NodeIndex Function = Table.place(Parameter).Function;
  if (!isKnown(Function))
    return true;
  if (OnPath.contains(Parameter))
    return false;
  if (Depth == MostNestedCalls || StepsLeft == 0)
    return true;
  --StepsLeft;
  OnPath.insert(Parameter);
  bool IsAll = true;
  Range Own = UsesOf[Function];
  for (uint32_t I = Own.Begin; I != Own.End; ++I) {
    const KeptUse &Use = Table[I];
    if (Use.Source != Parameter)
      continue;
    const Condition &Precondition = Table.conditionOf(Use);
    if (Use.Kind == PointerUse::Access) {
      SummaryAccess &A = Result.emplace_back();
      A.Spot = Use.displacement();
      A.Kind = Use.Does;
      A.Size = Use.Size;
      A.IsMay = Use.IsMay;
      A.IsLock = Use.IsLock;
      A.Site = Function;
      A.File = Use.File;
      A.Line = Use.Line;
      A.Instruction = Use.Instruction;
      A.OnceFlag = Precondition.OnceFlag;
      A.IsLocked = Precondition.IsLocked;
      A.HeldLock = Precondition.HeldLock;
      A.Weight = std::min(Use.Weight, MaxWeight);
      addException(A, Precondition.Except);
      continue;
    }
    if (Use.Kind != PointerUse::Handed || Use.Destination == NoPlace)
      continue;
    Summary Inner;
    IsAll &= summarise(Use.Destination, Depth + 1, Inner);
    for (SummaryAccess &A : Inner) {
      // What the callee's parameter is not, this one is not either, shifted.
      if (!Use.HasOffset)
        A.Except.clear(); // of an element, it may be another one
      for (uint64_t &Address : A.Except)
        Address -= Use.Offset;
      moveInto(Use.displacement(), A.Spot, A.Size);
      A.IsMay |= Use.IsMay;
      A.IsLocked |= Precondition.IsLocked;
      if (Precondition.HeldLock)
        A.HeldLock = Precondition.HeldLock;
      if (Precondition.OnceFlag)
        A.OnceFlag = Precondition.OnceFlag;
      A.Weight =
          std::min(A.Weight * std::min(Use.Weight, MaxPerCall), MaxWeight);
      addException(A, Precondition.Except);
      Result.push_back(std::move(A));
    }
  }
  OnPath.erase(Parameter);
  merge(Result);
  // Whoever began the recursion has seen all of it.
  if (IsAll || Depth == 0)
    Done[Parameter] = Result;
  return IsAll;
}

const Summary &Summaries::of(uint32_t Parameter) {
  auto It = Done.find(Parameter);
  if (It != Done.end())
    return It->second;
  static const Summary None;
  StepsLeft = MostFunctions;
  Summary Result;
  summarise(Parameter, 0, Result);
  It = Done.find(Parameter);
  return It != Done.end() ? It->second : None;
}

} // namespace linesman::layout
