// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heart of planning: how to separate the objects of one line at the least
// cost. Pure numbers, so that a brute-force search can check it.
//
//     |  A (written)  |  B (read)  |  C (written)  |     A-B and B-C conflict
//
//     isolate B                   cheapest if B is small
//     group A, C                  or they are
//     pad before B, pad before C  a line each

#ifndef LINESMAN_PLAN_SEPARATE_H
#define LINESMAN_PLAN_SEPARATE_H

#include "linesman/Plan/Edit.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace linesman::plan {

/// An object that has conflicts on the line.
struct LineParty {
  /// In bytes, of the whole object.
  uint64_t Size = 0;
  /// That its address shows, in bytes.
  uint64_t Alignment = 1;
  enum class Place : uint8_t {
    Movable,
    /// A copy of a shared object's variable, a start-up file's: it stays.
    Fixed,
  } Standing = Place::Movable;
  /// Of equal costs the one that moves written parties is chosen: it also
  /// protects neighbours that nothing is known of.
  enum class Use : uint8_t { Read, Written } Usage = Use::Read;
};

/// Two parties that must not share a line: positions in LineProblem::Parties.
struct Conflict {
  unsigned A = 0, B = 0;
};

struct LineProblem {
  /// By address.
  std::vector<LineParty> Parties;
  std::vector<Conflict> Conflicts;
  /// Bytes of a line, a power of two.
  uint64_t Line = 64;
};

/// Parties that move away together; or a gap.
struct Separation {
  /// Positions in LineProblem::Parties. The parties in no block stay where
  /// they are.
  std::vector<std::vector<unsigned>> Blocks;
  /// Free bytes (one line) before this party.
  std::optional<unsigned> PadBefore;
  /// What it costs at most.
  uint64_t Bytes = 0;
};

/// The bytes by which a program grows when \p Members move to lines of their
/// own: those lines, and the gaps in their places (gapOf), without what left.
uint64_t costOfBlock(llvm::ArrayRef<LineParty> Parties,
                     llvm::ArrayRef<unsigned> Members, uint64_t Line);

/// The cheapest separation that resolves every conflict: exact up to
/// MostExactParties parties, beyond that the better of a few good ones.
/// Nothing when two fixed parties conflict.
std::optional<Separation> findSeparation(const LineProblem &Problem);

/// There are 877 ways to split 7 parties, 4140 to split 8; lines with more
/// than a few conflicting objects are rare.
inline constexpr unsigned MostExactParties = 7;

} // namespace linesman::plan

#endif // LINESMAN_PLAN_SEPARATE_H
