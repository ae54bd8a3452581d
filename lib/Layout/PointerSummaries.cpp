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
using linesman::facts::Origin;
using linesman::facts::PointerUse;

namespace linesman::layout {

/// Calls in each other, and functions that are looked at for one question.
/// Beyond that, what was found by then is all.
static constexpr unsigned MostCalls = 32, MostSteps = 20000;
/// Beyond so many accesses only their kind counts.
static constexpr size_t MostAccesses = 256;
/// Beyond so many, not each place in the code counts by itself.
static constexpr size_t MostPlaces = 32;

Summaries::Summaries(const GraphUses &Uses) : Uses(Uses) {
  for (auto [I, U] : enumerate(Uses)) {
    if (U.User == NoNode)
      continue;
    if (U.User >= UsesOf.size())
      UsesOf.resize(U.User + 1);
    Range &Own = UsesOf[U.User];
    if (Own.Begin == Own.End)
      Own.Begin = I;
    Own.End = I + 1;
  }
}

static bool isOf(const PointerUse &Use, uint32_t Parameter) {
  return Use.Source.Kind == Origin::Parameter &&
         Use.Source.Value == Parameter &&
         (Use.Kind == PointerUse::Access || Use.Kind == PointerUse::Handed);
}

static void forgetPlace(SummaryAccess &A) {
  A.Site = NoNode;
  A.File = StringRef();
  A.Line = 0;
  A.Instruction = 0;
}

/// Adds up what differs in weight only; of many, also what is done at different
/// places in the code: the heaviest one stands for the others.
static void merge(Summary &All) {
  const bool IsLong = All.size() > MostPlaces;
  if (IsLong)
    llvm::stable_sort(All, [](const SummaryAccess &A, const SummaryAccess &B) {
      return A.Weight > B.Weight;
    });
  std::map<decltype(SummaryAccess().key()), size_t> Known;
  Summary Merged;
  for (SummaryAccess &A : All) {
    SummaryAccess Like = A;
    if (IsLong)
      forgetPlace(Like);
    if (Merged.size() >= MostAccesses && !Known.count(Like.key())) {
      A.Offset.reset();
      A.Size = 0;
      A.Except.clear();
      forgetPlace(A);
      Like = A;
    }
    auto [It, IsNew] = Known.try_emplace(Like.key(), Merged.size());
    if (IsNew)
      Merged.push_back(A);
    else
      Merged[It->second].Weight =
          std::min(Merged[It->second].Weight + A.Weight, MaxWeight);
  }
  All = std::move(Merged);
}

static void addException(SummaryAccess &A, uint64_t Address) {
  if (Address && !is_contained(A.Except, Address))
    A.Except.push_back(Address);
}

bool Summaries::summarise(ParameterKey Parameter, unsigned Depth,
                          Summary &Result) {
  if (auto It = Done.find(Parameter); It != Done.end()) {
    Result = It->second;
    return true;
  }
  if (!isKnown(Parameter.first))
    return true;
  if (OnPath.count(Parameter))
    return false;
  if (Depth == MostCalls || StepsLeft == 0)
    return true;
  --StepsLeft;
  OnPath[Parameter] = Depth;
  bool IsAll = true;
  Range Own = UsesOf[Parameter.first];
  for (uint32_t I = Own.Begin; I != Own.End; ++I) {
    const PointerUse &Use = Uses[I].Use;
    if (!isOf(Use, Parameter.second))
      continue;
    if (Use.Kind == PointerUse::Access) {
      SummaryAccess &A = Result.emplace_back();
      A.Offset = Use.Offset;
      A.Kind = Use.Does;
      A.Size = Use.Size;
      A.IsMay = Use.IsMay;
      A.Site = Parameter.first;
      A.File = Use.File;
      A.Line = Use.Line;
      A.Instruction = Use.Instruction;
      A.OnceFlag = Use.OnceFlag;
      A.IsLocked = Use.IsLocked;
      A.HeldLock = Use.HeldLock;
      A.Weight = std::min(Use.Weight, MaxWeight);
      addException(A, Use.Except);
      continue;
    }
    if (Uses[I].Callee == NoNode)
      continue;
    Summary Inner;
    IsAll &= summarise({Uses[I].Callee, Use.Parameter}, Depth + 1, Inner);
    for (SummaryAccess &A : Inner) {
      // What the callee's parameter is not, this one is not either, shifted.
      if (!Use.Offset)
        A.Except.clear();
      for (uint64_t &Address : A.Except)
        Address -= *Use.Offset;
      A.Offset = A.Offset && Use.Offset ? std::optional(*A.Offset + *Use.Offset)
                                        : std::nullopt;
      A.IsMay |= Use.IsMay;
      A.IsLocked |= Use.IsLocked;
      if (Use.HeldLock)
        A.HeldLock = Use.HeldLock;
      if (Use.OnceFlag)
        A.OnceFlag = Use.OnceFlag;
      A.Weight =
          std::min(A.Weight * std::min(Use.Weight, MaxPerCall), MaxWeight);
      addException(A, Use.Except);
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

const Summary &Summaries::of(ParameterKey Parameter) {
  auto It = Done.find(Parameter);
  if (It != Done.end())
    return It->second;
  static const Summary None;
  StepsLeft = MostSteps;
  Summary Result;
  summarise(Parameter, 0, Result);
  It = Done.find(Parameter);
  return It != Done.end() ? It->second : None;
}

} // namespace linesman::layout
