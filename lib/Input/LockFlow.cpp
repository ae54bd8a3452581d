// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward data flow of one number: how many locks may be held. Where ways join,
// the larger one counts, because locks that are taken on a condition are left
// on the same one. Who leaves a lock that he has not taken was called with it.

#include "LockFlow.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using linesman::facts::LockUse;

namespace linesman::input {

/// Bytes of a function that only takes a lock, or leaves one, and says so where
/// that fails; one such function may call another.
static constexpr uint64_t MostWrapperBytes = 512;
static constexpr unsigned MostWrappers = 2;
/// Locks in each other that are counted.
static constexpr uint8_t MostHeld = 3;

/// Functions of the binary itself have many things in their names that lock: a
/// reference that is counted, an entry of a cache. A static program has the C
/// library's.
static bool isOfLockType(StringRef Name) {
  return any_of(
      ArrayRef<StringRef>{"mutex", "mtx_", "rwlock", "spin", "futex"},
      [&](StringRef Word) { return Name.contains_insensitive(Word); });
}

LockCallees::LockCallees(const CodeFunctions &Functions,
                         const Architecture &Arch, const CodeMap &Map) {
  auto Add = [&](uint64_t Address, StringRef Name) {
    if (LockUse Use = facts::soundsLikeLock(Name); Use != LockUse::None)
      Uses[Address] = Use;
  };
  Map.forEachImport(Add);
  if (Functions.mayHaveNamesWith("lock"))
    for (size_t I = 0; I != Functions.size(); ++I)
      if (StringRef Name = Functions.nameOf(I); isOfLockType(Name))
        Add(Functions.addressOf(I).Value, Name);
  for (unsigned Round = 0; Round != MostWrappers && !Uses.empty(); ++Round) {
    std::vector<std::pair<uint64_t, LockUse>> More;
    for (size_t I = 0; I != Functions.size(); ++I) {
      if (Functions.sizeOf(I) > MostWrapperBytes)
        continue;
      CodeFunction Function = Functions[I];
      bool Takes = false, Leaves = false;
      Arch.visitCalls(Function.Bytes, Function.Range.Begin.Value,
                      [&](uint64_t Target, bool) {
                        LockUse Use = Uses.lookup_or(Target, LockUse::None);
                        Takes |= Use == LockUse::Takes;
                        Leaves |= Use == LockUse::Leaves;
                      });
      if (Takes != Leaves)
        More.push_back({Function.Range.Begin.Value,
                        Takes ? LockUse::Takes : LockUse::Leaves});
    }
    Uses.insert_range(More);
  }
}

LockUse LockCallees::useOf(const Step &S) const {
  bool IsCall = S.Kind == StepKind::Call || S.Kind == StepKind::CallThrough ||
                S.Kind == StepKind::Jump;
  return IsCall && S.Spot.IsAddress ? Uses.lookup_or(S.Spot.Disp, LockUse::None)
                                    : LockUse::None;
}

namespace {

class LockFlow {
public:
  LockFlow(const ControlFlow &Flow, const LockChanges &Changes)
      : Flow(Flow), Changes(Changes) {
    if (solve(0))
      solve(1);
  }

  bool isLocked(uint32_t Block, uint32_t Offset) const {
    uint8_t Held = AtStart[Block];
    for (const LockChange &C : Changes[Block]) {
      if (C.Offset >= Offset)
        break;
      apply(C, Held);
    }
    return Held;
  }

private:
  const ControlFlow &Flow;
  const LockChanges &Changes;
  std::vector<uint8_t> AtStart;

  /// Whether a lock is left that is not held.
  static bool apply(const LockChange &C, uint8_t &Held) {
    if (C.Use == LockUse::Takes) {
      Held = std::min<uint8_t>(Held + 1, MostHeld);
      return false;
    }
    if (!Held)
      return true;
    --Held;
    return false;
  }

  /// Whether a lock is left that is not held, on the entry's ways.
  bool solve(uint8_t AtEntry) {
    AtStart.assign(Flow.Blocks.size(), 0);
    std::vector<bool> Seen(Flow.Blocks.size());
    AtStart[0] = AtEntry;
    Seen[0] = true;
    bool IsLeft = false;
    SmallVector<uint32_t, 32> Worklist{0};
    while (!Worklist.empty()) {
      uint32_t I = Worklist.pop_back_val();
      uint8_t Held = AtStart[I];
      for (const LockChange &C : Changes[I])
        IsLeft |= apply(C, Held);
      for (uint32_t Target : Flow.Blocks[I].Successors) {
        if (Seen[Target] && AtStart[Target] >= Held)
          continue;
        Seen[Target] = true;
        AtStart[Target] = std::max(AtStart[Target], Held);
        Worklist.push_back(Target);
      }
    }
    return IsLeft;
  }
};

} // namespace

void markLocked(ArrayRef<Step> Steps, const ControlFlow &Flow,
                const LockCallees &Locks, FoundFacts &Found) {
  LockChanges Changes; // of no block, as long as there are none
  for (auto [I, B] : enumerate(Flow.Blocks))
    for (const Step &S : Steps.slice(B.First, B.Last - B.First))
      if (LockUse Use = Locks.useOf(S); Use != LockUse::None) {
        Changes.resize(Flow.Blocks.size());
        Changes[I].push_back(
            {S.Offset, Use, Found.GivenLocks.lookup(S.Offset)});
      }
  // A lock that nobody has taken here is left while the function waits.
  Found.LeavesLock = !Found.Waits.empty();
  if (Changes.empty())
    return;
  LockFlow Followed(Flow, Changes);
  HeldLocks Held(Flow, Changes);
  for (auto [I, B] : enumerate(Flow.Blocks))
    for (const LockChange &C : Changes[I])
      if (C.Use == LockUse::Takes && C.Lock)
        Found.Takes.push_back({C.Lock, B.Frequency});
  // Who has waited has taken it again.
  Found.LeavesLock = Held.leavesCallers();
  for (ConditionWait W : Found.Waits)
    if (uint64_t Lock = Held.firstAt(W.Block, W.Offset))
      Found.Takes.push_back({Lock, Flow.Blocks[W.Block].Frequency});
    else
      Found.LeavesLock = true;
  auto Mark = [&](auto &All) {
    for (auto &Entry : All) {
      Entry.IsLocked = Followed.isLocked(Entry.Block, Entry.Offset);
      Entry.HeldLock = Held.firstAt(Entry.Block, Entry.Offset);
    }
  };
  Mark(Found.Accesses);
  Mark(Found.Calls);
  Mark(Found.Uses);
}

} // namespace linesman::input
