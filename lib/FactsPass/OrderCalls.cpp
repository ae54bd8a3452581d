// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comes before what in a function: strongly connected components of its
// control flow, in topological order, and instructions within a block. Of two
// branches that exclude each other one comes first all the same, so an answer
// "after" means "perhaps after", and "before" is certain.

#include "ModuleFacts.h"
#include "linesman/Facts/KnownThreads.h"
#include "linesman/Facts/Shares.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace linesman::facts;

CallOrder::CallOrder(const Function &F, ArrayRef<FoundEdge> Found)
    : Edges(Found) {
  if (std::next(F.begin()) == F.end())
    return;
  // The components come last one first.
  uint32_t Number = UINT32_MAX;
  for (auto It = scc_begin(&F); !It.isAtEnd(); ++It) {
    --Number;
    bool IsLoop = It.hasCycle();
    for (const BasicBlock *BB : *It)
      Circles[BB] = {Number, IsLoop};
  }
}

/// Blocks that nothing reaches are in none: they come first, in no order.
CallOrder::Circle CallOrder::circleOf(const Instruction &I) const {
  auto It = Circles.find(I.getParent());
  return It != Circles.end() ? It->second : Circle{0, !Circles.empty()};
}

bool CallOrder::comesBefore(const Instruction &A, const Instruction &B) const {
  Circle OfA = circleOf(A), OfB = circleOf(B);
  if (OfA.Number != OfB.Number || OfA.IsLoop)
    return OfA.Number < OfB.Number;
  return A.getParent() == B.getParent() && A.comesBefore(&B);
}

static bool excludeEachOther(const Instruction &A, const Instruction &B) {
  return !isPotentiallyReachable(&A, &B) && !isPotentiallyReachable(&B, &A);
}

std::vector<Edge> CallOrder::order(BlockWeights &Weights) {
  stable_sort(Edges, [&](const FoundEdge &A, const FoundEdge &B) {
    return comesBefore(*A.I, *B.I);
  });
  // A call of the caller's last turn need not be told from the first.
  std::map<
      std::tuple<const GlobalValue *, CallKind, uint8_t, uint8_t, bool,
                 const GlobalValue *, uint64_t, const GlobalValue *, uint64_t>,
      SmallVector<size_t, 2>>
      Kept;
  // Which call a function is given to must be told: it may start it.
  SmallPtrSet<const Instruction *, 8> Giving;
  for (const FoundEdge &Found : Edges)
    if (Found.E.Kind == CallKind::Address && isa<CallBase>(Found.I))
      Giving.insert(Found.I);
  std::vector<FoundEdge> Merged;
  for (FoundEdge &Found : Edges) {
    Found.E.InLoop |= circleOf(*Found.I).IsLoop;
    Found.E.Weight *= Weights.perEntry(*Found.I->getParent());
    if (Found.E.Callee && waitsForWork(Found.E.Callee->getName()) &&
        Weights.isOfTurn(*Found.I->getParent()))
      Found.E.Weight = std::min(Found.E.Weight, WaitsPerTurn);
    if (Giving.contains(Found.I) && !Found.E.InLoop) {
      Merged.push_back(Found);
      continue;
    }
    const LockState &Held = Found.E.Held;
    auto &Equal =
        Kept[{Found.E.Callee, Found.E.Kind, Found.E.Signature, Found.E.Declared,
              Held.IsLocked, Held.Lock.Object, Held.Lock.Offset,
              Found.E.Flag.Object, Found.E.Flag.Offset}];
    if (Found.E.Kind == CallKind::Start) {
      // Each start is a site of its own, unless the optimizer has made two of
      // one: an entry runs only one of them.
      auto Twin = find_if(Equal, [&](size_t Known) {
        return excludeEachOther(*Merged[Known].I, *Found.I);
      });
      if (Twin != Equal.end()) {
        Merged[*Twin].E.Weight += Found.E.Weight;
        continue;
      }
    } else if (Equal.size() == 2) {
      FoundEdge &Last = Merged[Equal.back()];
      Found.E.Weight += Last.E.Weight;
      Found.E.InLoop |= Last.E.InLoop;
      Last.I = nullptr;
      Equal.pop_back();
    }
    Equal.push_back(Merged.size());
    Merged.push_back(Found);
  }
  erase_if(Merged, [](const FoundEdge &Found) { return !Found.I; });

  Edges = std::move(Merged);
  std::vector<Edge> Result;
  for (auto [N, Found] : enumerate(Edges)) {
    if (N)
      Found.E.Stage = Edges[N - 1].E.Stage +
                      (comesBefore(*Edges[N - 1].I, *Found.I) ? 1 : 0);
    Result.push_back(Found.E);
  }
  return Result;
}

uint32_t CallOrder::stagesBefore(const Instruction &I) const {
  uint32_t Stages = 0;
  for (const FoundEdge &Found : Edges)
    // In one circle each comes before the other.
    if (comesBefore(*Found.I, I) || !comesBefore(I, *Found.I))
      Stages = Found.E.Stage + 1;
  return Stages;
}
