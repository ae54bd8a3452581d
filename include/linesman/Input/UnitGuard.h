// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps LLVM's reader of DWARF from entries that lead it out of their section.
// It adds the length that a value claims to have to the place where it is, and
// reads the next value from there without a look at the section's end.

#ifndef LINESMAN_INPUT_UNITGUARD_H
#define LINESMAN_INPUT_UNITGUARD_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include <memory>

namespace llvm {
class DWARFContext;
} // namespace llvm

namespace linesman::input {

/// For the contexts of one binary, which must outlive it. What is damaged goes
/// to the handler of errors of the unit's context; of split units, to that of
/// the unit that they were split off from.
class UnitGuard {
public:
  enum class Entries { First, All };

  /// LLVM can read these entries of \p Unit, and those of other units that they
  /// refer to.
  bool admits(llvm::DWARFUnit &Unit, Entries Read);

  /// The first entry of \p Unit, or of what was split off from it; null if not
  /// all of \p Read can be read.
  llvm::DWARFDie open(llvm::DWARFUnit &Unit, Entries Read);

  /// Forgets the entries of \p Unit, and what was split off from it.
  void close(llvm::DWARFUnit &Unit);

  /// What all units are split off into (.dwp), which stays open from unit to
  /// unit; null for none.
  const llvm::DWARFContext *package() const { return Package.get(); }

private:
  /// What entries refer to: their unit, any unit, or nobody knows.
  enum class Reach { Own, Others, Damaged };

  struct Answers {
    /// Of the units all of whose entries were looked at.
    llvm::DenseMap<llvm::DWARFUnit *, Reach> Units;
    /// Whether all units can be read; of contexts whose units refer to others.
    llvm::DenseMap<llvm::DWARFContext *, bool> Contexts;
  };
  /// Of split units, which go when theirs is closed, and of all others.
  Answers SplitUnits, OtherUnits;
  std::shared_ptr<llvm::DWARFContext> Package;
  /// Of the unit that was opened last, which may have been split.
  llvm::DWARFContext *Skeletons = nullptr;

  Answers &answersFor(llvm::DWARFUnit &Unit);

  bool complain(llvm::DWARFUnit &Unit, uint64_t Entry);
  /// Opens \p Split, if there is one.
  bool admitsSplit(llvm::DWARFUnit &Skeleton,
                   std::shared_ptr<llvm::DWARFContext> &Split);
  Reach reachOf(llvm::DWARFUnit &Unit);
  bool isWhole(llvm::DWARFUnit &Unit);
};

} // namespace linesman::input

#endif // LINESMAN_INPUT_UNITGUARD_H
