// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What edges dominate is what nothing reaches without them. A compiler tests a
// flag again where it knows no better, and lets the ways behind both tests
// join.

#include "OnceCode.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::layout::FlagForm;

namespace linesman::input {

/// Tests of one function that are looked at, and those of flags that the
/// function sets: each of these costs a walk over its blocks. A function that
/// counts for statistics may have a hundred.
static constexpr size_t MostTests = 2048, MostWalks = 256;

std::vector<bool> reachWithout(const ControlFlow &Flow, ArrayRef<Edge> Cut) {
  std::vector<bool> Reached(Flow.Blocks.size());
  SmallVector<uint32_t, 32> Worklist;
  auto Enter = [&](uint32_t Block) {
    if (Reached[Block])
      return;
    Reached[Block] = true;
    Worklist.push_back(Block);
  };
  for (auto [I, B] : enumerate(Flow.Blocks))
    if (B.IsRoot)
      Enter(I);
  while (!Worklist.empty()) {
    uint32_t Source = Worklist.pop_back_val();
    for (uint32_t Target : Flow.Blocks[Source].Successors)
      if (!is_contained(Cut, Edge(Source, Target)))
        Enter(Target);
  }
  return Reached;
}

/// if (!x) init(); where init may be what sets x: whether it does, only the
/// whole binary tells. Only calls right behind the test, or behind tests of one
/// flag.
static void markTestedCalls(const ControlFlow &Flow, FoundFacts &Found) {
  struct WaysIn {
    uint64_t Flag;
    size_t Count;
  };
  SmallDenseMap<uint32_t, WaysIn, 8> FlagOf;
  for (const FlagTest &Test : Found.Tests)
    if (Test.IsOfZero && !FlagForm::isFirst(Test.Address)) {
      auto [It, IsNew] =
          FlagOf.try_emplace(Test.IfUnset, WaysIn{Test.Address, 0});
      It->second.Count += It->second.Flag == Test.Address;
    }
  if (FlagOf.empty())
    return;
  for (FoundCall &C : Found.Calls)
    if (auto It = FlagOf.find(C.Block);
        It != FlagOf.end() && C.Kind == facts::CallKind::Direct &&
        !C.OnceFlag && !Flow.Blocks[C.Block].IsRoot &&
        Flow.Blocks[C.Block].Predecessors.size() == It->second.Count)
      C.OnceFlag = It->second.Flag;
}

/// All tests of a flag, flags in the order of their first ones. Those that are
/// set by a zero come last: a state that changes to and fro looks the same, and
/// must not hide a flag.
using TestsByFlag = MapVector<uint64_t, SmallVector<FlagTest, 2>>;

static TestsByFlag groupByFlag(ArrayRef<FlagTest> Tests) {
  TestsByFlag Groups;
  for (bool IsFirst : {false, true})
    for (const FlagTest &Test : Tests.take_front(MostTests))
      if (!Test.IsOfSeveral && FlagForm::isFirst(Test.Address) == IsFirst)
        Groups[Test.Address].push_back(Test);
  return Groups;
}

static void addWaysIn(ArrayRef<FlagTest> Tests, SmallVectorImpl<Edge> &Ways) {
  for (const FlagTest &Test : Tests)
    Ways.push_back({Test.Block, Test.IfUnset});
}

/// Where control goes while a flag is unset, up to what sets it.
struct UnsetWays {
  /// To a test again: while (running) ... running = 0.
  bool ComeBack = false;
  /// Out of the function.
  bool Leave = false;
  /// To what sets the flag.
  bool Set = false;
};

static UnsetWays followUnset(const ControlFlow &Flow, ArrayRef<FlagTest> Tests,
                             const BitVector &Setting) {
  UnsetWays Found;
  BitVector Seen(Flow.Blocks.size());
  SmallVector<uint32_t, 32> Worklist;
  auto Enter = [&](uint32_t Block) {
    if (Setting.test(Block)) {
      Found.Set = true;
    } else if (!Seen.test(Block)) {
      Seen.set(Block);
      Worklist.push_back(Block);
    }
  };
  for (const FlagTest &Test : Tests)
    Enter(Test.IfUnset);
  while (!Worklist.empty()) {
    uint32_t Block = Worklist.pop_back_val();
    Found.ComeBack |=
        any_of(Tests, [&](const FlagTest &T) { return T.Block == Block; });
    Found.Leave |= Flow.Blocks[Block].Successors.empty();
    for (uint32_t Target : Flow.Blocks[Block].Successors)
      Enter(Target);
  }
  return Found;
}

/// The flag's address that a callee is given; 0 where it may be given another
/// one, or is given none.
static uint64_t handedFlag(const FoundUse &U, const TestsByFlag &Tested) {
  const facts::PointerUse &Use = U.Use;
  if (Use.Kind != facts::PointerUse::Handed || Use.IsMay || !Use.Offset ||
      Use.Source.Kind != facts::Origin::Object)
    return 0;
  uint64_t Address = Use.Source.Value + *Use.Offset;
  return Tested.contains(Address) ? Address : 0;
}

/// if (!a) init(&a); and if (!b) init(&b); that became one call, which is given
/// one of the two: it is behind tests of both.
static void markSharedCalls(const ControlFlow &Flow, const TestsByFlag &Tested,
                            size_t MostWalks, FoundFacts &Found) {
  auto IsSameArgument = [](const FoundUse &A, const FoundUse &B) {
    return A.Offset == B.Offset && A.Use.Kind == B.Use.Kind &&
           A.Use.Parameter == B.Use.Parameter;
  };
  for (auto Begin = Found.Uses.begin(), End = Begin;
       Begin != Found.Uses.end() && MostWalks; Begin = End) {
    End = std::find_if(Begin, Found.Uses.end(), [&](const FoundUse &U) {
      return !IsSameArgument(*Begin, U);
    });
    MutableArrayRef<FoundUse> Given(&*Begin, End - Begin);
    if (Given.size() == 1 || !all_of(Given, [&](const FoundUse &U) {
          return handedFlag(U, Tested) != 0;
        }))
      continue;
    SmallVector<Edge, 4> Ways;
    for (const FoundUse &U : Given)
      addWaysIn(Tested.find(handedFlag(U, Tested))->second, Ways);
    --MostWalks;
    if (reachWithout(Flow, Ways)[Begin->Block])
      continue;
    for (FoundUse &U : Given)
      U.OnceFlag = handedFlag(U, Tested);
  }
}

/// switch (r.state) { case 0: ... case 2: ... default: init(&r); } where a
/// state is none of those numbers as long as nobody has asked for it: whether
/// what is given the record sets it, only the whole binary tells.
static void markStates(const ControlFlow &Flow, FoundFacts &Found) {
  constexpr uint64_t LargestRecord = 64;
  size_t WalksLeft = MostWalks;
  for (const FlagTest &Test : Found.Tests) {
    auto IsOfRecord = [&](const FoundUse &U) {
      const facts::PointerUse &Use = U.Use;
      return Use.Kind == facts::PointerUse::Handed && !Use.IsMay &&
             Use.Offset && Use.Source.Kind == facts::Origin::Object &&
             Test.Address - (Use.Source.Value + *Use.Offset) < LargestRecord;
    };
    if (!Test.IsOfSeveral || !WalksLeft || none_of(Found.Uses, IsOfRecord))
      continue;
    --WalksLeft;
    std::vector<bool> Others =
        reachWithout(Flow, Edge(Test.Block, Test.IfUnset));
    auto IsBehind = [&](const auto &A) { return !Others[A.Block]; };
    if (none_of(Found.Uses, [&](const FoundUse &U) {
          return IsBehind(U) && IsOfRecord(U);
        }))
      continue;
    auto Mark = [&](auto &Lot) {
      for (auto &A : Lot)
        if (IsBehind(A) && !A.OnceFlag)
          A.OnceFlag = Test.Address;
    };
    Mark(Found.Accesses);
    Mark(Found.Calls);
    Mark(Found.Uses);
  }
}

/// The offsets of the waits, if all that is done while a flag is not set is to
/// wait for a condition and to test the flag again; none where more is done. A
/// failed wait may be reported. \p Tests are all tests of that flag.
static SmallVector<uint32_t, 1> findAwaiting(const ControlFlow &Flow,
                                             ArrayRef<Step> Steps,
                                             ArrayRef<ConditionWait> Waits,
                                             ArrayRef<FlagTest> Tests) {
  constexpr size_t MostBlocks = 16;
  SmallVector<uint32_t, 8> Turn;
  auto Enter = [&](uint32_t Block) {
    if (!is_contained(Turn, Block))
      Turn.push_back(Block);
  };
  for (const FlagTest &Test : Tests)
    Enter(Test.IfUnset);
  for (size_t I = 0; I != Turn.size(); ++I) {
    const Block &B = Flow.Blocks[Turn[I]];
    if (Turn.size() > MostBlocks || B.Successors.empty())
      return {};
    for (const Step &S : Steps.slice(B.First, B.Last - B.First)) {
      bool Matters =
          S.Kind == StepKind::Call || S.Kind == StepKind::CallThrough ||
          (S.Kind == StepKind::Access && S.Access != facts::AccessKind::Read);
      if (Matters && none_of(Waits, [&](const ConditionWait &W) {
            return W.Offset == S.Offset;
          }))
        return {};
    }
    auto Asks = find_if(
        Tests, [&](const FlagTest &Test) { return Test.Block == Turn[I]; });
    if (Asks != Tests.end()) {
      Enter(Asks->IfUnset);
      continue;
    }
    for (uint32_t Target : B.Successors)
      if (Target != B.IfFailed && !Flow.Blocks[Target].EndsProcess)
        Enter(Target);
  }
  SmallVector<uint32_t, 1> Found;
  for (const ConditionWait &W : Waits)
    if (is_contained(Turn, W.Block))
      Found.push_back(W.Offset);
  return Found;
}

/// while (!started) pthread_cond_wait(...): another thread sets the flag, and
/// later tests do not wait any more, unless somebody clears it.
static void markAwaited(const ControlFlow &Flow, ArrayRef<Step> Steps,
                        const TestsByFlag &Tested, FoundFacts &Found) {
  if (Found.Waits.empty())
    return;
  for (const auto &[Flag, Tests] : Tested) {
    if (!FlagForm::isPlain(Flag) || layout::OwnFlag::isOne(Flag) ||
        any_of(Tests, [](const FlagTest &T) { return !T.IsOfZero; }))
      continue;
    const auto Awaiting = findAwaiting(Flow, Steps, Found.Waits, Tests);
    auto Mark = [&](auto &Lot) {
      for (auto &A : Lot)
        if (!A.OnceFlag && is_contained(Awaiting, A.Offset))
          A.OnceFlag = Flag;
    };
    Mark(Found.Accesses);
    Mark(Found.Uses);
  }
}

void markOnceCode(const ControlFlow &Flow, ArrayRef<Step> Steps,
                  FoundFacts &Found) {
  markStates(Flow, Found);
  const TestsByFlag Tested = groupByFlag(Found.Tests);
  if (Tested.empty())
    return;
  markAwaited(Flow, Steps, Tested, Found);
  // Also by a compare-exchange, of which one thread's succeeds.
  // Of a state that is another number, only the callee knows which.
  auto Sets = [](const FoundAccess &A, const FlagTest &Test) {
    return Test.IsOfZero && A.Kind != facts::AccessKind::Read &&
           !A.IsSomewhere && A.Address == FlagForm::addressOf(Test.Address) &&
           (A.Stored ? FlagForm::isSetBy(Test.Address, *A.Stored, A.Size)
                     : !FlagForm::isFirst(Test.Address));
  };
  // Or what is given its address sets it: whether it does, only the whole
  // binary tells.
  auto IsSet = [&](ArrayRef<FlagTest> Tests, auto IsBehind) {
    return any_of(Found.Accesses,
                  [&](const FoundAccess &A) {
                    return IsBehind(A.Block) &&
                           any_of(Tests, [&](const FlagTest &Test) {
                             return Sets(A, Test);
                           });
                  }) ||
           any_of(Found.Uses, [&](const FoundUse &U) {
             return IsBehind(U.Block) &&
                    handedFlag(U, Tested) == Tests.front().Address;
           });
  };
  size_t WalksLeft = MostWalks;
  for (const auto &[Flag, Tests] : Tested) {
    if (!IsSet(Tests, [](uint32_t) { return true; }))
      continue;
    if (WalksLeft == 0)
      break;
    --WalksLeft;
    SmallVector<Edge, 4> Ways;
    addWaysIn(Tests, Ways);
    std::vector<bool> Others = reachWithout(Flow, Ways);
    BitVector Setting(Flow.Blocks.size());
    for (const FoundAccess &A : Found.Accesses)
      if (Sets(A, Tests.front()))
        Setting.set(A.Block);
    const UnsetWays Unset = followUnset(Flow, Tests, Setting);
    const bool IsFirst = FlagForm::isFirst(Flag);
    // if (!ready) make(); ready = 1;
    const bool IsAlwaysSet = !IsFirst && Unset.Set && !Unset.Leave;
    // The store may be gone where both edges lead to one block.
    if (!IsAlwaysSet &&
        !IsSet(Tests, [&](uint32_t Block) { return !Others[Block]; }))
      continue;
    if (IsFirst && Unset.ComeBack)
      continue;
    // What sets the flag is behind its own test, whatever else it is behind.
    auto Mark = [&](auto &Lot, auto IsOfFlag) {
      for (auto &A : Lot)
        if (!Others[A.Block] && (!A.OnceFlag || IsOfFlag(A)))
          A.OnceFlag = Flag;
    };
    Mark(Found.Accesses, [&](const FoundAccess &A) {
      return A.Address == FlagForm::addressOf(Flag);
    });
    Mark(Found.Calls, [](const FoundCall &) { return false; });
    Mark(Found.Uses,
         [&](const FoundUse &U) { return handedFlag(U, Tested) == Flag; });
  }
  markSharedCalls(Flow, Tested, WalksLeft, Found);
  markTestedCalls(Flow, Found);
}

} // namespace linesman::input
