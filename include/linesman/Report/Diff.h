// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two layouts compared, a layout as a lock, and a layout against a lock.

#ifndef LINESMAN_REPORT_DIFF_H
#define LINESMAN_REPORT_DIFF_H

#include "linesman/Layout/LineMates.h"
#include "linesman/Layout/Lock.h"
#include "linesman/Report/Document.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::report {

struct DiffReport {
  llvm::ArrayRef<layout::MateChange> Mates;
  llvm::ArrayRef<layout::FindingChange> Findings;
};

/// For a terminal.
void writeText(const DiffReport &Report, llvm::raw_ostream &OS);
void writeText(const layout::LockCheck &Check, llvm::raw_ostream &OS);
/// Schema 1.
void writeJson(const DiffReport &Report, llvm::raw_ostream &OS);
void writeJson(const layout::LockCheck &Check, llvm::raw_ostream &OS);

/// The lines of one change, before and after. The line is where the finding's
/// head is, also on a side that has no finding there.
struct DiffPicture {
  layout::FindingChange Change;
  /// Nothing where this side does not have the object.
  std::optional<Finding> Old, New;
};

/// What linesman ab measured of the two.
struct DiffNumbers {
  std::string Metric, Better, Verdict;
  struct Side {
    double Median = 0, LowQuartile = 0, HighQuartile = 0;
  } Old, New;
  /// New by old.
  double Ratio = 0, Low = 0, High = 0, P = 0;
  int64_t Rounds = 0;
};

/// Of linesman ab's JSON; fails where it is something else.
llvm::Expected<DiffNumbers> readNumbers(const llvm::json::Value &Root);

struct DiffPage {
  DiffReport Report;
  std::string OldPath, NewPath;
  double OldTotal = 0, NewTotal = 0;
  /// The changes that are drawn, the largest first; Report has all.
  std::vector<DiffPicture> Pictures;
  std::optional<DiffNumbers> Numbers;
};

/// For a pull request: what was measured, and each line before and after, with
/// its bytes and fields.
void writeMarkdown(const DiffPage &Page, llvm::raw_ostream &OS);
/// The same for a browser, without network and script.
void writeHtml(const DiffPage &Page, llvm::raw_ostream &OS);

/// The accepted layout, sorted, one object after the other: made to be
/// committed and read in a review.
void writeLock(const layout::Lock &Accepted, llvm::raw_ostream &OS);

/// "new, score 12.5", "gone, score was 12.5", "score 1, was 12.5"; and ", as
/// errors" where it was called \p OldName and is not any more.
std::string describeChange(double OldScore, double NewScore,
                           llvm::StringRef OldName = "");
std::string describeChange(const layout::FindingChange &Change);
/// Of the line of a change: ", score 12.5", or ", no finding"; or what the line
/// is a finding of, \p Name, where that changed less.
std::string describeSide(const Finding &Line, double Score,
                         llvm::StringRef Name);

} // namespace linesman::report

#endif // LINESMAN_REPORT_DIFF_H
