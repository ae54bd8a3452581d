// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of calls. Blocks in reverse post-order, with each outermost loop in
// the place of its header, are in topological order: the header is where the
// search entered the loop, so all that leaves it comes later.

#include "CodeCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::input {

CodeCalls::Position CodeCalls::positionOf(uint32_t Block,
                                          uint32_t Offset) const {
  // Bounded: corrupt code can nest oddly.
  constexpr unsigned MostLoops = 64;
  const input::Block *B = &Flow.Blocks[Block];
  bool InLoop = B->IsHeader || B->Loop;
  for (unsigned Depth = 0; B->Loop && Depth != MostLoops; ++Depth)
    B = &Flow.Blocks[*B->Loop];
  return {B->Order, InLoop, Offset};
}

bool CodeCalls::canReach(uint32_t Source, uint32_t Target) const {
  std::vector<bool> Seen(Flow.Blocks.size());
  SmallVector<uint32_t, 16> Worklist{Source};
  while (!Worklist.empty())
    for (uint32_t Next : Flow.Blocks[Worklist.pop_back_val()].Successors) {
      if (Next == Target)
        return true;
      if (!Seen[Next]) {
        Seen[Next] = true;
        Worklist.push_back(Next);
      }
    }
  return false;
}

/// Each start of a thread is a place of its own, unless the compiler has made
/// two of one: an entry of the function runs only one of them.
void CodeCalls::mergeTwins() {
  std::vector<FoundCall> Kept;
  SmallVector<size_t> Starts; // in Kept
  for (const FoundCall &C : Found) {
    if (C.Kind != facts::CallKind::Start) {
      Kept.push_back(C);
      continue;
    }
    auto Twin = find_if(Starts, [&](size_t Start) {
      const FoundCall &K = Kept[Start];
      return K.Callee == C.Callee && K.Block != C.Block &&
             !canReach(K.Block, C.Block) && !canReach(C.Block, K.Block);
    });
    if (Twin != Starts.end()) {
      Kept[*Twin].Weight += C.Weight;
    } else {
      Starts.push_back(Kept.size());
      Kept.push_back(C);
    }
  }
  Found = std::move(Kept);
}

CodeCalls::CodeCalls(const ControlFlow &Flow, std::vector<FoundCall> Calls)
    : Flow(Flow), Found(std::move(Calls)) {
  mergeTwins();
  auto Position = [&](const FoundCall &C) {
    return positionOf(C.Block, C.Offset);
  };
  stable_sort(Found, [&](const FoundCall &A, const FoundCall &B) {
    return comesBefore(Position(A), Position(B));
  });
  for (size_t I = 0; I != Found.size(); ++I)
    Stages.push_back(I ? Stages.back() + comesBefore(Position(Found[I - 1]),
                                                     Position(Found[I]))
                       : 0);
}

SmallVector<facts::CallEdge, 8> CodeCalls::edges() const {
  SmallVector<facts::CallEdge, 8> Edges;
  for (auto [C, Stage] : zip_equal(Found, Stages))
    if (C.Closure == FoundCall::ClosureUse::No)
      Edges.push_back({C.Kind, C.Callee, C.Weight, Stage,
                       C.IsTeam || positionOf(C.Block, C.Offset).InLoop,
                       C.Signature, C.OnceFlag, C.IsLocked, C.HeldLock,
                       C.IsOneForAll});
  return Edges;
}

SmallVector<facts::ClosureUse, 0> CodeCalls::closures() const {
  SmallVector<facts::ClosureUse, 0> Uses;
  for (auto [C, Stage] : zip_equal(Found, Stages))
    if (C.Closure != FoundCall::ClosureUse::No)
      Uses.push_back({C.Callee, C.Weight, Stage,
                      positionOf(C.Block, C.Offset).InLoop,
                      C.Closure == FoundCall::ClosureUse::Handed});
  return Uses;
}

uint32_t CodeCalls::stagesBefore(uint32_t Block, uint32_t Offset) const {
  Position Index = positionOf(Block, Offset);
  // In one loop each comes before the other.
  auto First = partition_point(Found, [&](const FoundCall &C) {
    Position Owner = positionOf(C.Block, C.Offset);
    return comesBefore(Owner, Index) || !comesBefore(Index, Owner);
  });
  return First == Found.begin() ? 0 : Stages[First - Found.begin() - 1] + 1;
}

} // namespace linesman::input
