// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_THREADSLOTCHECK_H
#define LINESMAN_TIDY_THREADSLOTCHECK_H

#include "Analysis/Accesses/HotAccesses.h"
#include "LinesmanCheck.h"
#include "llvm/ADT/SmallSet.h"

namespace linesman::tidy {

/// Finds per-thread array elements that are written and are not a whole number
/// of cache lines.
///
/// docs/checks/thread-slot.md has the details.
class ThreadSlotCheck : public LinesmanCheck {
public:
  using LinesmanCheck::LinesmanCheck;
  void checkUnit(clang::ASTContext &Unit) override;

private:
  class UnitReader;
  class AllocationReader;
  class ClaimReader;
  class KeptReader;
  class PublishedReader;
  class TurnReader;
  class WorkerReader;

  bool isRepeated(const Access &Use, HotAccesses &Hot) const;
  void noteElement(const Element &Crowded, const clang::ASTContext &Unit);

  /// A record that can be given an attribute; std::atomic cannot.
  static bool isOwnRecord(clang::QualType Element,
                          const clang::ASTContext &Unit);
  /// Objects that a loop allocated (ThreadSlotAllocations.cpp).
  void checkAllocations(clang::ASTContext &Unit);
  /// Elements that threads look for and take (ThreadSlotClaims.cpp).
  void checkClaims(clang::ASTContext &Unit);

  /// Elements whose address an object keeps (ThreadSlotKept.cpp).
  void checkKept(clang::ASTContext &Unit);
  /// Atomic words whose address an object keeps, and that it publishes
  /// (ThreadSlotPublished.cpp).
  void checkPublished(clang::ASTContext &Unit);
  /// Elements that turns of a loop add to (ThreadSlotTurns.cpp).
  void checkTurns(clang::ASTContext &Unit);
  /// Objects that start a thread of their own (ThreadSlotWorkers.cpp).
  void checkWorkers(clang::ASTContext &Unit);

  /// Where the arrays that the unit's findings name are declared.
  llvm::SmallSet<clang::SourceLocation, 8> Reported;
  /// The types that a fix-it was given for.
  llvm::SmallSet<clang::SourceLocation, 4> Aligned;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_THREADSLOTCHECK_H
