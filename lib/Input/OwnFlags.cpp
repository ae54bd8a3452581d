// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In two passes: which blocks store to a thread-local variable, and which end
// with a test of one. Of a function that also takes back what it has set (a
// counter of calls in each other, a mark that it is inside) nothing is said;
// what another function takes back is not seen.

#include "OwnFlags.h"
#include "OnceCode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <array>

using namespace llvm;

namespace linesman::input {

namespace {

/// Walks over the blocks of one function, each for a test.
constexpr unsigned MostWalks = 64;

/// A thread-local variable, by its distance from the thread pointer.
using OwnVariable = int64_t;

uint64_t cutTo(uint64_t Number, uint32_t Size) {
  return Size && Size < 8 ? Number & ((uint64_t(1) << Size * 8) - 1) : Number;
}

struct OwnStore {
  OwnVariable Variable;
  uint32_t Block, Size;
  /// The number that it writes, in as many bits as it has; nothing where that
  /// is not known.
  std::optional<uint64_t> Stored;
  /// It may depend on what was there.
  bool IsUpdate;

  /// Whether it is known to write \p Number.
  bool writes(uint64_t Number) const {
    return Stored && *Stored == cutTo(Number, Size);
  }
};

/// A block ends with a test whether a variable is a number.
struct OwnTest {
  OwnVariable Variable;
  uint64_t Number;
  uint32_t Block, IfEqual, IfOther;
};

class FlagMarker {
public:
  FlagMarker(ArrayRef<Step> Steps, ControlFlow &Flow)
      : Steps(Steps), Flow(Flow) {}

  void mark() {
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I)
      addStores(I);
    if (Stores.empty())
      return;
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I)
      addTest(I);
    for (const OwnTest &Test : ArrayRef(Tests).take_front(MostWalks)) {
      markBehind(Test, Test.IfEqual,
                 [&](const OwnStore &S) { return !S.writes(Test.Number); });
      markBehind(Test, Test.IfOther,
                 [&](const OwnStore &S) { return S.writes(Test.Number); });
    }
  }

private:
  ArrayRef<Step> Steps;
  ControlFlow &Flow;
  SmallVector<OwnStore, 4> Stores;
  SmallVector<OwnTest, 4> Tests;
  /// Registers at the end of each block: what they were loaded from, and its
  /// size.
  struct Loaded {
    std::optional<OwnVariable> Variable;
    uint32_t Size = 0;
  };
  using LoadedRegisters = std::array<Loaded, MostRegisters>;
  DenseMap<uint32_t, LoadedRegisters> AtEnd;

  ArrayRef<Step> stepsOf(uint32_t I) const {
    const Block &B = Flow.Blocks[I];
    return Steps.slice(B.First, B.Last - B.First);
  }

  void addStores(uint32_t I) {
    SmallVector<OwnVariable, 2> Read;
    for (const Step &S : stepsOf(I)) {
      if (S.Kind != StepKind::Access || !S.Spot.IsOwn)
        continue;
      if (S.Access == facts::AccessKind::Read) {
        Read.push_back(S.Spot.Disp);
      } else {
        OwnStore &Store = Stores.emplace_back();
        Store.Variable = S.Spot.Disp;
        Store.Block = I;
        Store.Size = S.Size;
        if (S.Src == NoRegister)
          Store.Stored = cutTo(int64_t(S.Immediate), S.Size);
        Store.IsUpdate = S.Access == facts::AccessKind::Atomic ||
                         is_contained(Read, Store.Variable);
      }
    }
  }

  void addTest(uint32_t I) {
    const Block &B = Flow.Blocks[I];
    LoadedRegisters Sources;
    if (B.Predecessors.size() == 1 && B.Predecessors.front() < I)
      if (auto It = AtEnd.find(B.Predecessors.front()); It != AtEnd.end())
        Sources = It->second;
    bool IsLoaded = false;
    std::optional<OwnVariable> Tested;
    uint64_t Number = 0;
    uint32_t LoadAt = UINT32_MAX;
    for (const Step &S : stepsOf(I)) {
      auto Take = [&](uint64_t Wanted) {
        Loaded Subject = S.Dst < MostRegisters ? Sources[S.Dst] : Loaded();
        if (S.Dst == NoRegister && S.Spot.IsOwn)
          Subject.Variable = S.Spot.Disp;
        Tested = Subject.Variable;
        Number = cutTo(Wanted, Subject.Size);
      };
      switch (S.Kind) {
      case StepKind::Test:
        Take(0);
        break;
      case StepKind::CompareValue:
        if (S.Src == NoRegister)
          Take(int64_t(S.Immediate));
        else
          Tested.reset();
        break;
      case StepKind::Compare:
        if (S.Spot.Base == NoRegister && S.Spot.Index == NoRegister)
          Take(S.Spot.Disp);
        else
          Tested.reset();
        break;
      case StepKind::Access:
        if (S.Spot.IsOwn && S.Dst < MostRegisters) {
          Sources[S.Dst] = {OwnVariable(S.Spot.Disp), S.Size};
          LoadAt = S.Offset;
          continue;
        }
        [[fallthrough]];
      default:
        // The other steps of one load come behind the one that reads.
        if (S.Offset == LoadAt)
          continue;
        for (unsigned R : seq(MostRegisters))
          if ((definesDst(S.Kind) && S.Dst == R) || S.Clobbers >> R & 1)
            Sources[R] = Loaded();
      }
      IsLoaded = true;
    }
    if (IsLoaded)
      AtEnd[I] = Sources;
    const Step *Last = B.First == B.Last ? nullptr : &Steps[B.Last - 1];
    // The first successor of a branch is its target (ControlFlow.cpp).
    if (!Tested || !Last || Last->Kind != StepKind::Branch ||
        Last->If == Condition::Other || B.Successors.size() != 2)
      return;
    bool IfZero = Last->If == Condition::Zero;
    Tests.push_back(
        {*Tested, Number, I, B.Successors[!IfZero], B.Successors[IfZero]});
  }

  /// \p Sets tells of a store whether the test goes another way afterwards.
  void markBehind(const OwnTest &Test, uint32_t Way,
                  function_ref<bool(const OwnStore &)> Sets) {
    SmallVector<uint32_t, 2> Setting;
    for (const OwnStore &S : Stores) {
      if (S.Variable != Test.Variable)
        continue;
      if (S.IsUpdate || !Sets(S))
        return;
      Setting.push_back(S.Block);
    }
    if (Setting.empty())
      return;
    std::vector<bool> Others = reachWithout(Flow, Edge(Test.Block, Way));
    for (uint32_t Block : Setting)
      if (!Others[Block])
        Flow.Blocks[Block].IsCold = true;
  }
};

} // namespace

namespace {

/// By register: how far from the thread pointer it points.
using Distances = std::array<std::optional<int64_t>, MostRegisters>;

bool takesThreadPointer(const Step &S) {
  return S.Kind == StepKind::Load && S.Spot.IsOwn && S.Spot.Disp == 0;
}

void nameOwnPlaces(MutableArrayRef<Step> Steps, Distances &Known) {
  for (Step &S : Steps) {
    bool IsNear = S.Spot.Base < MostRegisters && S.Spot.Index == NoRegister &&
                  !S.Spot.IsAddress && Known[S.Spot.Base];
    int64_t Spot = IsNear ? *Known[S.Spot.Base] + S.Spot.Disp : 0;
    if (IsNear && Spot < 0 &&
        (S.Kind == StepKind::Access || S.Kind == StepKind::Test ||
         S.Kind == StepKind::CompareValue)) {
      S.Spot = Place();
      S.Spot.IsOwn = true;
      S.Spot.Disp = Spot;
    }
    for (unsigned R : seq(MostRegisters))
      if (S.Clobbers >> R & 1)
        Known[R].reset();
    if (!definesDst(S.Kind) || S.Dst >= MostRegisters)
      continue;
    Known[S.Dst].reset();
    if (takesThreadPointer(S))
      Known[S.Dst] = 0;
    else if (S.Kind == StepKind::Add && IsNear)
      Known[S.Dst] = Spot;
  }
}

} // namespace

void nameOwnPlaces(MutableArrayRef<Step> Steps, const ControlFlow &Flow) {
  if (none_of(Steps, takesThreadPointer))
    return;
  std::vector<Distances> AtEnd(Flow.Blocks.size());
  for (uint32_t I : Flow.Order) {
    const Block &B = Flow.Blocks[I];
    Distances &Known = AtEnd[I];
    bool IsFirst = true;
    // Round a loop, what the ways into it agree on stays.
    for (uint32_t Before : B.Predecessors) {
      if (Flow.Blocks[Before].Order >= B.Order)
        continue;
      for (auto [Mine, Other] : zip_equal(Known, AtEnd[Before]))
        Mine = IsFirst || Mine == Other ? Other : std::nullopt;
      IsFirst = false;
    }
    nameOwnPlaces(Steps.slice(B.First, B.Last - B.First), Known);
  }
}

void markOwnFlags(ArrayRef<Step> Steps, ControlFlow &Flow) {
  if (any_of(Steps, [](const Step &S) {
        return S.Kind == StepKind::Access && S.Spot.IsOwn &&
               S.Access != facts::AccessKind::Read;
      }))
    FlagMarker(Steps, Flow).mark();
}

} // namespace linesman::input
