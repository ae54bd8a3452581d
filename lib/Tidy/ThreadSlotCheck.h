// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_THREADSLOTCHECK_H
#define LINESMAN_TIDY_THREADSLOTCHECK_H

#include "Analysis/HotAccesses.h"
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

  bool isRepeated(const Access &Use, HotAccesses &Hot) const;
  void noteElement(const Element &Crowded, const clang::ASTContext &Unit);

  /// The types that a fix-it was given for.
  llvm::SmallSet<clang::SourceLocation, 4> Aligned;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_THREADSLOTCHECK_H
