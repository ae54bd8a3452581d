// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of `linesman watch`, where it is not that of another command.

#ifndef LINESMAN_DRIVE_WATCHREPORT_H
#define LINESMAN_DRIVE_WATCHREPORT_H

#include "linesman/Drive/PredictedCost.h"
#include "linesman/Drive/WatchSearch.h"
#include "linesman/Layout/Finding.h"
#include "linesman/Watch/Observation.h"
#include "llvm/Support/JSON.h"

namespace linesman::drive {

/// A line, and what its transfers cost where that can be told before an A/B.
struct WatchedLine {
  watch::Observation Seen;
  std::optional<PredictedCost> Predicted;
  /// Of a line that is shared, why that cannot be told.
  std::string Unpriced;
};

/// What \p Session saw on the lines of \p Work, in their order or, for findings
/// of a report, by the verdict; there each is attached to its finding. \p
/// Highest becomes the highest rung that a line is on which is not refuted.
/// Where a price may be told, what a transfer takes is measured.
std::vector<WatchedLine> describeLines(const watch::SessionResult &Session,
                                       Assignment &Work,
                                       std::optional<layout::Rung> &Highest);

/// For a gate that would pass: fails when a line is neither confirmed nor
/// refuted, as nothing says then that it is not shared.
llvm::Error checkDecided(llvm::ArrayRef<WatchedLine> Lines);

/// What the reader must know to judge a "not seen".
std::vector<std::string> sessionNotes(const watch::SessionResult &Session);

void writeWatchText(llvm::ArrayRef<WatchedLine> Lines,
                    const watch::SessionResult &Session,
                    llvm::ArrayRef<std::string> Notes, llvm::raw_ostream &OS);

llvm::json::Value toWatchJson(llvm::ArrayRef<WatchedLine> Lines,
                              llvm::ArrayRef<std::string> Notes,
                              unsigned LineSize);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_WATCHREPORT_H
