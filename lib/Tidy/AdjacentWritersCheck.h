// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_ADJACENTWRITERSCHECK_H
#define LINESMAN_TIDY_ADJACENTWRITERSCHECK_H

#include "Analysis/Names/RecordLines.h"
#include "LinesmanCheck.h"

namespace linesman::tidy {

/// Finds two words on one cache line that different functions write, such as
/// the two ends of a queue.
///
/// docs/checks/adjacent-writers.md has the details.
class AdjacentWritersCheck : public LinesmanCheck {
public:
  using LinesmanCheck::LinesmanCheck;
  void checkUnit(clang::ASTContext &Unit) override;
  /// Counts of two sides, by their names (AdjacentSides.cpp).
  void checkRest(clang::ASTContext &Unit) override;

private:
  class UnitReader;
  class ThreadReader;
  class ElementReader;
  class ChunkReader;
  class LocalReader;
  class SideReader;

  /// Words of one array (AdjacentElements.cpp).
  void checkElements(clang::ASTContext &Unit);
  /// Lists of chunks with two ends (AdjacentChunks.cpp).
  void checkChunks(clang::ASTContext &Unit);
  /// Where the unit starts its threads (AdjacentThreads.cpp).
  void checkThreads(clang::ASTContext &Unit);
  /// Locals that these are handed (AdjacentLocals.cpp).
  void checkLocals(clang::ASTContext &Unit);
  /// What a reader can do about it, at the later of the two.
  void noteAlignment(const FieldSpan &Later, const clang::ASTContext &Unit);
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ADJACENTWRITERSCHECK_H
