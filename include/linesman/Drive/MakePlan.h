// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A binary's plan: its findings, those that were chosen, the edits for them.

#ifndef LINESMAN_DRIVE_MAKEPLAN_H
#define LINESMAN_DRIVE_MAKEPLAN_H

#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Finding.h"
#include "linesman/Plan/Plan.h"
#include <optional>

namespace linesman::drive {

struct PlanChoice {
  /// Only these findings, by their ids; all where it is empty.
  std::vector<std::string> Select;
  /// Only the first ones.
  std::optional<uint64_t> Top;
  /// Bytes of room, at most.
  std::optional<uint64_t> Budget;
  /// Instead of all that: every object of this address's page on a page of its
  /// own.
  std::optional<layout::LinkAddress> Explode;
  layout::LineSize Line;
  layout::PageSize Page;
};

/// Fails for an id that no finding of \p Path has, with what may have been
/// meant.
llvm::Expected<std::vector<layout::LineFinding>>
selectFindings(std::vector<layout::LineFinding> Findings,
               const PlanChoice &Choice, llvm::StringRef Path);

/// Fails where the binary has no facts, for findings, or no such page.
llvm::Expected<plan::Plan> makePlanOf(llvm::StringRef Path,
                                      const input::Binary &Binary,
                                      const PlanChoice &Choice);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_MAKEPLAN_H
