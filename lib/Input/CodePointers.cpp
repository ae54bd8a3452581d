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
/// Functions that are read because of records. In a program where more have to
/// do with them, what else is put there is not known.
static constexpr size_t MostMemberReaders = 512;
/// A function with more callers is given all kinds of records.
static constexpr size_t MostCallers = 256;

/// Sites are numbered by their places in the function.
static void place(Origin &Source, uint64_t Function) {
  if (Source.Kind == Origin::Loaded || Source.Kind == Origin::Result)
    Source.Value += Function;
}

CodePointerFacts pointerFactsOf(uint64_t Function, const FoundFacts &Found,
                                const CodeCalls &Calls) {
  CodePointerFacts Context;
  Context.Facts.Function = {facts::FunctionRef::Address, Function};
  Context.Loaded = Found.Loaded;
  Context.UsedResults = Found.UsedResults;
  Context.StoresThrough = Found.StoresThrough;
  for (const FoundUse &F : Found.Uses) {
    PointerUse &Use = Context.Facts.Uses.emplace_back(F.Use);
    place(Use.Source, Function);
    place(Use.Destination, Function);
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
  if (Context.StoresThrough)
    Storers.push_back(Address);
  if (!Context.Facts.Uses.empty())
    Functions[Address].Facts = std::move(Context.Facts);
}

void CodePointers::addCalls(const facts::Calls &Calls) {
  if (Calls.Caller.Value >> 32)
    return;
  for (const facts::CallEdge &E : Calls.Edges)
    if (E.Callee.Kind == facts::FunctionRef::Address &&
        (E.Kind == facts::CallKind::Direct ||
         E.Kind == facts::CallKind::Start) &&
        !(E.Callee.Value >> 32))
      Callers.push_back(
          {uint32_t(E.Callee.Value), uint32_t(Calls.Caller.Value)});
}

void CodePointers::addInitial(const CodeMap &Map) {
  auto ObjectOf = [&](uint64_t Address) {
    std::optional<layout::AddressRange> Object = Map.objectAt(Address);
    return Object ? Object->Begin.Value : Address;
  };
  // Of objects that are loaded by their names, or handed on.
  DenseSet<uint64_t> Read;
  for (const auto &[Address, F] : Functions)
    for (const PointerUse &Use : F.Facts.Uses)
      if (Use.Source.Kind == Origin::Object)
        Read.insert(Use.Source.Value);
  std::vector<std::pair<uint64_t, uint64_t>> Stores;
  Map.forEachPointer([&](uint64_t Slot, uint64_t Target) {
    if (!Map.isData(Slot) || !Map.isData(Target))
      return;
    uint64_t Object = ObjectOf(Slot);
    if (LoadersOf.contains(Object) || Read.contains(Object))
      Stores.push_back({Slot, Target});
  });
  llvm::sort(Stores);
  Function &Initial = Functions[0];
  Initial.IsRead = true;
  for (auto [Slot, Target] : Stores) {
    PointerUse &Use = Initial.Facts.Uses.emplace_back();
    Use.Kind = PointerUse::Stored;
    Use.Source.Kind = Origin::Object;
    Use.Source.Value = ObjectOf(Target);
    Use.Offset = Target - Use.Source.Value;
    Use.Destination.Kind = Origin::Variable;
    Use.Destination.Value = ObjectOf(Slot);
    Use.Destination.Offset = Slot - Use.Destination.Value;
  }
}

bool CodePointers::isLive(const Spread &Kind, uint64_t Owner,
                          const Origin &Source) const {
  switch (Source.Kind) {
  case Origin::Object:
    return &Kind == &Objects;
  case Origin::Parameter:
    return Kind.Given.contains({Owner, Source.Value});
  case Origin::Result:
    return Kind.Returning.contains(Source.Function.Value) ||
           Kind.Sites.contains(Source.Value);
  case Origin::Loaded:
    return Kind.Sites.contains(Source.Value);
  case Origin::Variable:
    return Kind.Holding.contains(Source.Value);
  default:
    return false;
  }
}

bool CodePointers::isLive(uint64_t Owner, const Origin &Source) const {
  return any_of(
      ArrayRef{&Objects, &Records, &Members},
      [&](const Spread *Kind) { return isLive(*Kind, Owner, Source); });
}

void CodePointers::follow(Spread &Kind, uint64_t Owner, const PointerUse &Use) {
  switch (Use.Kind) {
  case PointerUse::Access:
    break;
  case PointerUse::Handed:
    if (Kind.Given.insert({Use.Callee.Value, Use.Parameter}).second)
      Kind.Wanted.push_back(Use.Callee.Value);
    break;
  case PointerUse::Returned:
    // See Targets::solve.
    if (&Kind != &Members && Kind.Returning.insert(Owner).second)
      Kind.Readers.push_back(UsersOf.lookup(Owner));
    break;
  case PointerUse::Stored:
    if (Kind.Holding.insert(Use.Destination.Value).second)
      Kind.Readers.push_back(LoadersOf.lookup(Use.Destination.Value));
    if (&Kind == &Objects)
      ObjectPlaces.insert(Use.Destination.Offset.value_or(0));
    break;
  case PointerUse::StoredThrough:
  case PointerUse::LoadedThrough:
    followMember(Kind, Owner, Use);
    break;
  }
}

void CodePointers::followMember(Spread &Kind, uint64_t Owner,
                                const PointerUse &Use) {
  if (Use.Kind == PointerUse::StoredThrough) {
    (&Kind == &Records ? RecordPlaces : ObjectPlaces).insert(Use.Distance);
    ask(Owner, Use.Destination);
    return;
  }
  int64_t Distance = Use.Offset.value_or(0);
  if (ObjectPlaces.contains(Distance))
    Members.Sites.insert(Use.Destination.Value);
  if (&Kind == &Records && RecordPlaces.contains(Distance))
    Records.Sites.insert(Use.Destination.Value);
}

void CodePointers::wantCallers(uint64_t Callee) {
  auto Is = [](const auto &Edge, uint64_t Address) {
    return Edge.first < Address;
  };
  auto First = lower_bound(Callers, Callee, Is);
  auto Last = lower_bound(Callers, Callee + 1, Is);
  if (size_t(Last - First) <= MostCallers)
    for (auto [Called, Caller] : make_range(First, Last))
      Records.Wanted.push_back(Caller);
}

void CodePointers::ask(uint64_t Owner, const Origin &Record) {
  switch (Record.Kind) {
  case Origin::Parameter:
    if (Asked.insert({Owner, Record.Value}).second) {
      Records.Given.insert({Owner, Record.Value});
      wantCallers(Owner);
    }
    break;
  case Origin::Result:
    Records.Sites.insert(Record.Value);
    break;
  case Origin::Variable:
    if (Records.Holding.insert(Record.Value).second)
      Records.Readers.push_back(LoadersOf.lookup(Record.Value));
    break;
  case Origin::Loaded:
    if (!Records.Sites.insert(Record.Value).second)
      break;
    for (const PointerUse &Use : Functions[Owner].Facts.Uses)
      if (Use.Kind == PointerUse::LoadedThrough &&
          Use.Destination.Value == Record.Value) {
        RecordPlaces.insert(Use.Offset.value_or(0));
        ask(Owner, Use.Source);
      }
    break;
  default:
    break;
  }
}

/// One round over all uses. Whether it found anything.
bool CodePointers::markAll() {
  auto Known = [&] {
    return Objects.size() + Records.size() + Members.size() + Asked.size() +
           ObjectPlaces.size() + RecordPlaces.size();
  };
  size_t Before = Known();
  for (const auto &[Address, F] : Functions)
    for (const PointerUse &Use : F.Facts.Uses) {
      for (Spread *Kind : {&Objects, &Records, &Members})
        if (isLive(*Kind, Address, Use.Source))
          follow(*Kind, Address, Use);
      if (Use.Kind == PointerUse::Handed &&
          Asked.contains({Use.Callee.Value, Use.Parameter}))
        ask(Address, Use.Source);
    }
  return Known() != Before;
}

std::vector<uint64_t> CodePointers::takeWanted() {
  auto Take = [&](Spread &Kind) {
    std::vector<uint64_t> Wanted = std::exchange(Kind.Wanted, {});
    llvm::stable_sort(Kind.Readers, [](const auto &A, const auto &B) {
      return A.size() < B.size();
    });
    for (const auto &All : Kind.Readers)
      if (All.size() <= Kind.ReadersLeft) {
        Kind.ReadersLeft -= All.size();
        append_range(Wanted, All);
      }
    Kind.Readers.clear();
    llvm::sort(Wanted);
    Wanted.erase(llvm::unique(Wanted), Wanted.end());
    erase_if(Wanted, [&](uint64_t Address) {
      auto It = Functions.find(Address);
      return It != Functions.end() && It->second.IsRead;
    });
    return Wanted;
  };
  std::vector<uint64_t> Wanted = Take(Objects);
  for (Spread *Kind : {&Records, &Members}) {
    std::vector<uint64_t> More = Take(*Kind);
    SeesMembers &= More.size() <= MembersLeft;
    if (!SeesMembers)
      continue;
    MembersLeft -= More.size();
    append_range(Wanted, More);
  }
  llvm::sort(Wanted);
  Wanted.erase(llvm::unique(Wanted), Wanted.end());
  return Wanted;
}

void CodePointers::read(ArrayRef<uint64_t> Wanted, Reader Read) {
  std::vector<std::optional<CodePointerFacts>> New(Wanted.size());
  parallelFor(0, Wanted.size(), [&](size_t I) { New[I] = Read(Wanted[I]); });
  for (auto [Address, Found] : zip_equal(Wanted, New)) {
    Function &F = Functions[Address];
    F.IsRead = true;
    if (Found)
      F.Facts = std::move(Found->Facts);
  }
}

/// What no object's address reaches.
void CodePointers::drop(uint64_t Owner, SmallVectorImpl<PointerUse> &Uses) {
  erase_if(Uses, [&](PointerUse &Use) {
    switch (Use.Kind) {
    case PointerUse::Returned:
      // What is returned beside an object.
      return !Objects.Returning.contains(Owner) &&
             !Records.Returning.contains(Owner) &&
             !Members.Returning.contains(Owner);
    case PointerUse::StoredThrough:
      // What is stored beside one.
      if (!isLive(Owner, Use.Source))
        Use.Source = Origin();
      return !isLive(Owner, Use.Destination);
    default:
      return !isLive(Owner, Use.Source);
    }
  });
  if (SeesMembers)
    return;
  for (size_t I = 0, E = Uses.size(); I != E; ++I)
    if (Uses[I].Kind == PointerUse::LoadedThrough) {
      PointerUse Other;
      Other.Kind = PointerUse::Stored;
      Other.Destination = Uses[I].Destination;
      Uses.push_back(Other);
    }
}

void CodePointers::join(Reader Read,
                        function_ref<void(const facts::PointerFacts &)> Visit) {
  Objects.ReadersLeft = Records.ReadersLeft = Members.ReadersLeft = MostReaders;
  MembersLeft = MostMemberReaders;
  Records.Wanted = Storers;
  llvm::sort(Callers);
  for (unsigned Round = 0; Round != MostRounds; ++Round) {
    bool IsChanged = markAll();
    std::vector<uint64_t> Wanted = takeWanted();
    if (Wanted.empty() && !IsChanged)
      break;
    read(Wanted, Read);
  }
  for (auto &[Address, F] : Functions) {
    drop(Address, F.Facts.Uses);
    if (!F.Facts.Uses.empty())
      Visit(F.Facts);
  }
}

} // namespace linesman::input
