// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a binary to the report of its findings, the one way for all who want it:
//
//     Binary ─ weigh ─ map ─ find ─ filter ─ describe ─▶ LaidOut ─▶ a report
//
// of variables, or of fields of types. A report points into what was made of
// it, so it is handed to the one who asked and ends with the call.

#ifndef LINESMAN_DRIVE_LAYOUT_H
#define LINESMAN_DRIVE_LAYOUT_H

#include "linesman/Drive/LayoutGate.h"
#include "linesman/Drive/ReportDetails.h"
#include "linesman/Drive/WeighAccesses.h"
#include "linesman/Report/Report.h"

namespace linesman::drive {

struct LayoutRequest {
  /// What the binary was read from.
  std::string Path;
  Judged Subject = Judged::Lines;
  layout::LineSize Line;
  layout::PageSize Page;
  /// Of types: what objects are aligned to at least.
  uint64_t HeapAlignment = layout::PhaseRules().HeapAlignment;
  Weights Threads;
  /// Only findings with an occupant that this valid expression matches; empty
  /// for all. A gate fails where it matches nothing that is there.
  std::string Filter;
  bool IsGate = false;
  layout::Guesses Unsigned = layout::Guesses::LeftOut;
  /// Findings that are shown; the others are described for LaidOut::Whole only
  /// where somebody wants it.
  uint64_t MostShown = UINT64_MAX;
  bool NeedsWhole = false;
  /// Lists lines beside the findings; the first ones only for want of facts.
  report::LineList List = report::LineList::None;
  uint64_t FirstLines = 0;
  /// Names members and sources by debug information, where there is somebody to
  /// tell that it is damaged.
  ReportDetails::Warning Warn = nullptr;
};

struct LaidOut {
  report::LayoutReport Shown, Whole;
  /// That a finding is on; nothing where there is none.
  std::optional<layout::Rung> Highest;
};

/// \p Notes is what the reader must know besides. Takes the types out of \p
/// Binary where the request is about them.
llvm::Error layOut(input::Binary &Binary, const LayoutRequest &Request,
                   std::vector<std::string> Notes,
                   llvm::function_ref<llvm::Error(LaidOut &)> Use);

/// Makes text show what a gate is about, and as many as it would show else.
/// \returns what Layout.Shown refers to from now on.
std::vector<layout::LineFinding>
leaveUnaccepted(const report::Comparison &Changes, LaidOut &Layout);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_LAYOUT_H
