// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of `linesman record`.

#ifndef LINESMAN_DRIVE_RECORDREPORT_H
#define LINESMAN_DRIVE_RECORDREPORT_H

#include "linesman/Watch/Observation.h"
#include "linesman/Watch/RecordFile.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::drive {

/// A line with its names.
struct RecordedFinding {
  watch::Observation Seen;
  const watch::RecordedLine *Line = nullptr;
  /// Where the heap block was allocated, innermost first.
  std::vector<std::string> Allocation;
};

struct RecordReport {
  std::vector<RecordedFinding> Lines;
  std::vector<std::string> Predictions;
  std::vector<std::string> Notes;
  size_t Omitted = 0;
  /// Some line is shared, shown or not.
  bool Shares = false;
};

/// Of the lines that threads share, the first \p Most; or of \p Symbol's
/// ("name+offset"), also quiet ones. Points into \p Recorded.
llvm::Expected<RecordReport> buildRecordReport(const watch::Record &Recorded,
                                               llvm::StringRef Symbol,
                                               size_t Most);

void writeText(const RecordReport &R, llvm::raw_ostream &OS);

/// \p Program is the path of its file.
llvm::json::Value toJson(const RecordReport &R, llvm::StringRef Program);
/// What a gate judges and a baseline accepts: the shared lines, without scores.
/// How often threads met is of this run, and no reason to fail.
llvm::json::Value toJudged(const RecordReport &R, llvm::StringRef Program);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_RECORDREPORT_H
