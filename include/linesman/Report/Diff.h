// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two layouts compared, and a layout as a lock.

#ifndef LINESMAN_REPORT_DIFF_H
#define LINESMAN_REPORT_DIFF_H

#include "linesman/Layout/LineMates.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::report {

struct DiffReport {
  llvm::ArrayRef<layout::MateChange> Mates;
  /// Empty where one side is a lock.
  llvm::ArrayRef<layout::FindingChange> Findings;
};

/// For a terminal.
void writeText(const DiffReport &Report, llvm::raw_ostream &OS);
/// Schema 1.
void writeJson(const DiffReport &Report, llvm::raw_ostream &OS);

/// The accepted line-mates, sorted, one object after the other: made to be
/// committed and read in a review.
void writeLock(const layout::LineMates &Accepted, llvm::raw_ostream &OS);

} // namespace linesman::report

#endif // LINESMAN_REPORT_DIFF_H
