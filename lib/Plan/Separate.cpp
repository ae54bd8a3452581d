// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits the parties of a line into one block that stays and blocks that move:
//
//  1. A pad: one gap with every conflict across it.
//  2. Up to MostExactParties: every split without a conflict inside a block,
//     built party by party and cut off where it is already too dear.
//  3. Above: first fit in order of address, with each block in turn as the one
//     that stays. Joining blocks never costs more (their lines are at least
//     those of their union), so few blocks are good blocks.

#include "linesman/Plan/Separate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

using namespace llvm;

namespace linesman::plan {

uint64_t costOfBlock(ArrayRef<LineParty> Parties, ArrayRef<unsigned> Members,
                     uint64_t Line) {
  uint64_t Size = 0, Gone = 0, Gaps = 0;
  for (unsigned Member : Members) {
    const LineParty &P = Parties[Member];
    Size = alignTo(Size, P.Alignment) + P.Size;
    Gone += P.Size;
    Gaps += gapOf(P.Size, Line);
  }
  return alignTo(Size, Line) + Gaps - Gone;
}

namespace {

class Search {
public:
  explicit Search(const LineProblem &Problem) : Problem(Problem) {
    unsigned N = Problem.Parties.size();
    Conflicts.assign(N, std::vector<bool>(N, false));
    for (Conflict C : Problem.Conflicts)
      Conflicts[C.A][C.B] = Conflicts[C.B][C.A] = true;
  }

  std::optional<Separation> run() {
    tryPads();
    // Block 0 stays; it may be empty.
    if (Problem.Parties.size() <= MostExactParties) {
      Blocks.emplace_back();
      split(0);
    } else {
      firstFit();
    }
    return std::move(Best);
  }

private:
  const LineProblem &Problem;
  std::vector<std::vector<bool>> Conflicts;
  std::vector<std::vector<unsigned>> Blocks;
  std::optional<Separation> Best;

  bool isFixed(unsigned Party) const {
    return Problem.Parties[Party].Standing == LineParty::Place::Fixed;
  }
  bool fits(unsigned Party, ArrayRef<unsigned> Block) const {
    return none_of(Block,
                   [&](unsigned Other) { return Conflicts[Party][Other]; });
  }
  uint64_t cost(ArrayRef<unsigned> Block) const {
    return costOfBlock(Problem.Parties, Block, Problem.Line);
  }

  size_t written(const Separation &S) const {
    size_t Count = 0;
    for (ArrayRef<unsigned> Block : S.Blocks)
      Count += count_if(Block, [&](unsigned Party) {
        return Problem.Parties[Party].Usage == LineParty::Use::Written;
      });
    return Count;
  }

  void offer(Separation Candidate) {
    if (!Best || Candidate.Bytes < Best->Bytes ||
        (Candidate.Bytes == Best->Bytes && written(Candidate) > written(*Best)))
      Best = std::move(Candidate);
  }

  /// A party only moves with all that follow, so it must be movable; those
  /// that follow move with the section.
  void tryPads() {
    for (unsigned Gap = 1; Gap < Problem.Parties.size(); ++Gap)
      if (!isFixed(Gap) && all_of(Problem.Conflicts, [&](Conflict C) {
            return (C.A < Gap) != (C.B < Gap);
          }))
        offer({{}, Gap, Problem.Line});
  }

  void offerBlocks(unsigned Stays) {
    Separation Candidate;
    for (auto [Index, Block] : enumerate(Blocks)) {
      if (Index == Stays || Block.empty())
        continue;
      Candidate.Bytes += cost(Block);
      Candidate.Blocks.push_back(Block);
    }
    offer(std::move(Candidate));
  }

  void split(unsigned Party) {
    if (Party == Problem.Parties.size())
      return offerBlocks(0);
    // By index: the vector grows in the calls.
    for (size_t I = 0; I != Blocks.size(); ++I) {
      if ((I && isFixed(Party)) || !fits(Party, Blocks[I]))
        continue;
      Blocks[I].push_back(Party);
      split(Party + 1);
      Blocks[I].pop_back();
    }
    if (isFixed(Party))
      return;
    Blocks.push_back({Party});
    split(Party + 1);
    Blocks.pop_back();
  }

  void firstFit() {
    unsigned N = Problem.Parties.size();
    Blocks.emplace_back();
    for (unsigned Party = 0; Party != N; ++Party) {
      if (!isFixed(Party))
        continue;
      if (!fits(Party, Blocks[0]))
        return;
      Blocks[0].push_back(Party);
    }
    bool HasFixed = !Blocks[0].empty();
    for (unsigned Party = 0; Party != N; ++Party) {
      if (isFixed(Party))
        continue;
      auto Home = find_if(
          Blocks, [&](ArrayRef<unsigned> Block) { return fits(Party, Block); });
      if (Home == Blocks.end())
        Blocks.push_back({Party});
      else
        Home->push_back(Party);
    }
    for (unsigned Stays = 0; Stays != (HasFixed ? 1 : Blocks.size()); ++Stays)
      offerBlocks(Stays);
  }
};

/// Whether no two parties of a conflict stay together, and who is fixed stays.
[[maybe_unused]] bool resolves(const Separation &Found,
                               const LineProblem &Problem) {
  // 0 is the place of those that stay.
  std::vector<size_t> Places(Problem.Parties.size(), 0);
  for (auto [Index, Block] : enumerate(Found.Blocks))
    for (unsigned Party : Block) {
      if (Places[Party] ||
          Problem.Parties[Party].Standing == LineParty::Place::Fixed)
        return false;
      Places[Party] = Index + 1;
    }
  return all_of(Problem.Conflicts, [&](Conflict C) {
    return Found.PadBefore
               ? (C.A < *Found.PadBefore) != (C.B < *Found.PadBefore)
               : Places[C.A] != Places[C.B];
  });
}

} // namespace

std::optional<Separation> findSeparation(const LineProblem &Problem) {
  assert(isPowerOf2_64(Problem.Line) && "no size of lines");
  assert(all_of(Problem.Conflicts,
                [&](const Conflict &C) {
                  return C.A != C.B &&
                         std::max(C.A, C.B) < Problem.Parties.size();
                }) &&
         "a conflict is between two of the parties");
  std::optional<Separation> Found = Search(Problem).run();
  assert((!Found || resolves(*Found, Problem)) && "a conflict is left");
  return Found;
}

} // namespace linesman::plan
