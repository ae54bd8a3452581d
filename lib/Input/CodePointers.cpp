// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In rounds: what one has found is read in the next one, in parallel.

#include "CodePointers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Parallel.h"

using namespace llvm;
using linesman::facts::Origin;
using linesman::facts::PointerUse;

namespace linesman::input {

/// Calls in each other that hand an address on.
static constexpr unsigned MostRounds = 64;
/// Functions that are read for what they may do: because of a variable that
/// they load, or a result. Large programs have pointers that everybody loads;
/// those with few readers come first.
static constexpr size_t MostReaders = 1024;

CodePointerFacts pointerFactsOf(uint64_t Function, const FoundFacts &Found,
                                const CodeCalls &Calls) {
  CodePointerFacts Context;
  Context.Facts.Function = {facts::FunctionRef::Address, Function};
  Context.Loaded = Found.Loaded;
  Context.UsedResults = Found.UsedResults;
  for (const FoundUse &F : Found.Uses) {
    PointerUse &Use = Context.Facts.Uses.emplace_back(F.Use);
    Use.Instruction = Function + F.Offset;
    Use.StagesBefore = Calls.stagesBefore(F.Block, F.Offset);
    Use.OnceFlag = F.OnceFlag;
    Use.IsLocked = F.IsLocked;
    Use.HeldLock = F.HeldLock;
  }
  return Context;
}

void CodePointers::add(CodePointerFacts Context) {
  uint64_t Address = Context.Facts.Function.Value;
  for (uint64_t Variable : Context.Loaded)
    LoadersOf[Variable].push_back(Address);
  for (uint64_t Callee : Context.UsedResults)
    UsersOf[Callee].push_back(Address);
  if (!Context.Facts.Uses.empty())
    Functions[Address].Facts = std::move(Context.Facts);
}

void CodePointers::addInitial(const CodeMap &Map) {
  auto ObjectOf = [&](uint64_t Address) {
    std::optional<layout::AddressRange> Object = Map.objectAt(Address);
    return Object ? Object->Begin.Value : Address;
  };
  std::vector<std::pair<uint64_t, uint64_t>> Stores;
  Map.forEachPointer([&](uint64_t Slot, uint64_t Target) {
    if (Map.isData(Slot) && Map.isData(Target) &&
        LoadersOf.contains(ObjectOf(Slot)))
      Stores.push_back({Slot, Target});
  });
  llvm::sort(Stores);
  Function &Initial = Functions[0];
  Initial.IsRead = true;
  for (auto [Slot, Target] : Stores) {
    PointerUse &Use = Initial.Facts.Uses.emplace_back();
    Use.Kind = PointerUse::Stored;
    Use.From.Kind = Origin::Object;
    Use.From.Value = ObjectOf(Target);
    Use.Offset = Target - Use.From.Value;
    Use.Into.Kind = Origin::Variable;
    Use.Into.Value = ObjectOf(Slot);
    Use.Into.Offset = Slot - Use.Into.Value;
  }
}

bool CodePointers::isLive(uint64_t Owner, const Origin &Source) const {
  switch (Source.Kind) {
  case Origin::Object:
    return true;
  case Origin::Parameter:
    return Given.contains({Owner, Source.Value});
  case Origin::Result:
    return Returning.contains(Source.Function.Value);
  case Origin::Variable:
    return Holding.contains(Source.Value);
  default:
    return false;
  }
}

void CodePointers::follow(uint64_t Owner, const PointerUse &Use,
                          std::vector<uint64_t> &Wanted) {
  switch (Use.Kind) {
  case PointerUse::Access:
    break;
  case PointerUse::Handed:
    if (Given.insert({Use.Callee.Value, Use.Parameter}).second)
      Wanted.push_back(Use.Callee.Value);
    break;
  case PointerUse::Returned:
    if (Returning.insert(Owner).second)
      Readers.push_back(UsersOf.lookup(Owner));
    break;
  case PointerUse::Stored:
    if (Holding.insert(Use.Into.Value).second)
      Readers.push_back(LoadersOf.lookup(Use.Into.Value));
    break;
  }
}

void CodePointers::join(Reader Read,
                        function_ref<void(const facts::PointerFacts &)> Visit) {
  size_t ReadersLeft = MostReaders;
  for (unsigned Round = 0; Round != MostRounds; ++Round) {
    std::vector<uint64_t> Wanted;
    size_t Known = Given.size() + Returning.size() + Holding.size();
    for (const auto &[Address, F] : Functions)
      for (const PointerUse &Use : F.Facts.Uses)
        if (isLive(Address, Use.From))
          follow(Address, Use, Wanted);
    bool IsChanged = Known != Given.size() + Returning.size() + Holding.size();
    llvm::stable_sort(Readers, [](const auto &A, const auto &B) {
      return A.size() < B.size();
    });
    for (const auto &All : Readers)
      if (All.size() <= ReadersLeft) {
        ReadersLeft -= All.size();
        append_range(Wanted, All);
      }
    Readers.clear();
    llvm::sort(Wanted);
    Wanted.erase(llvm::unique(Wanted), Wanted.end());
    erase_if(Wanted, [&](uint64_t Address) {
      auto It = Functions.find(Address);
      return It != Functions.end() && It->second.IsRead;
    });
    if (Wanted.empty() && !IsChanged)
      break;
    std::vector<std::optional<CodePointerFacts>> New(Wanted.size());
    parallelFor(0, Wanted.size(), [&](size_t I) { New[I] = Read(Wanted[I]); });
    for (auto [Address, Found] : zip_equal(Wanted, New)) {
      Function &F = Functions[Address];
      F.IsRead = true;
      if (Found)
        F.Facts = std::move(Found->Facts);
    }
  }
  for (auto &[Address, F] : Functions) {
    erase_if(F.Facts.Uses, [&, Address = Address](const PointerUse &Use) {
      // What is returned beside an object.
      if (Use.Kind == PointerUse::Returned)
        return !Returning.contains(Address);
      return !isLive(Address, Use.From);
    });
    if (!F.Facts.Uses.empty())
      Visit(F.Facts);
  }
}

} // namespace linesman::input
