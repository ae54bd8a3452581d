// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock: a layout that somebody accepted. What breaks it is harm, a finding
// that came or got worse, and not that neighbours moved.

#ifndef LINESMAN_LAYOUT_LOCK_H
#define LINESMAN_LAYOUT_LOCK_H

#include "linesman/Layout/LineMates.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace linesman::layout {

struct LockedScore {
  /// Whose writes force the most transfers. Not the finding's id: that of an
  /// array has an offset, which moves with it.
  Identity Head;
  /// Of all findings of this head.
  double Score = 0;
};

/// Bytes of writable objects.
struct LockedSize {
  /// The source file that defines them, without folders; empty for objects
  /// whose file nobody knows.
  std::string File;
  uint64_t Bytes = 0;
};

struct Lock {
  LineMates Mates;
  /// By head.
  std::vector<LockedScore> Scores;
  /// By file.
  std::vector<LockedSize> Sizes;
  /// Units that a compiler tells of; 0 in locks that do not say.
  uint64_t UnitsWithFacts = 0;
};

/// Of the ranked \p Findings of \p Image.
Lock makeLock(const Image &Program, const LineMap &Lines,
              const AccessTable &Table, llvm::ArrayRef<LineFinding> Findings);

struct ScoreChange {
  Identity Head;
  /// What the finding was called after when it was accepted; no symbol where it
  /// is new.
  Identity OldHead;
  double OldScore = 0, NewScore = 0;
};

/// What a layout is against a lock.
struct LockCheck {
  /// New, or worse than accepted, the highest first.
  std::vector<ScoreChange> Worse;
  /// Written objects on those findings' lines that have a new line-mate.
  std::vector<MateChange> Mates;
  /// Written objects elsewhere that have a new line-mate, with no finding that
  /// is worse.
  size_t Moved = 0;
  /// How many bytes which files have more or less; the largest first, and only
  /// some of them. Empty where nothing changed.
  std::vector<std::pair<std::string, int64_t>> Causes;

  bool isBroken() const { return !Worse.empty(); }
};

/// How much a score may grow: scores are estimates of block frequencies.
constexpr double DefaultTolerance = 0.1;

/// \p Now and \p Findings are of \p Program. \p Tolerance: 0.1 lets a score
/// grow by a tenth. Fails where the lock has no objects, or fewer than half of
/// them are here: it is another program's; and where facts of units are missing
/// that told of writes.
llvm::Expected<LockCheck> checkLock(const Lock &Known, const Lock &Now,
                                    const Image &Program,
                                    llvm::ArrayRef<LineFinding> Findings,
                                    double Tolerance = DefaultTolerance);

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_LOCK_H
