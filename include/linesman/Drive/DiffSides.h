// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The binaries that linesman diff and a lock compare.

#ifndef LINESMAN_DRIVE_DIFFSIDES_H
#define LINESMAN_DRIVE_DIFFSIDES_H

#include "linesman/Drive/ReportDetails.h"
#include "linesman/Input/Ranking.h"
#include "linesman/Layout/Lock.h"
#include "linesman/Report/Diff.h"
#include "linesman/Report/Document.h"

namespace linesman::drive {

struct Side {
  std::string Path;
  input::Binary Binary;
  layout::Lock Layout;
  std::vector<layout::LineFinding> Findings;

  double total() const {
    double Sum = 0;
    for (const layout::LineFinding &F : Findings)
      Sum += F.Points.total();
    return Sum;
  }
};

/// \p Binary was read from \p Path, and its accesses weighed. Fails where its
/// facts or names say too little to compare.
llvm::Expected<Side> makeSide(llvm::StringRef Path, input::Binary Binary,
                              layout::LineSize Line);

/// What became of the findings.
std::vector<layout::FindingChange> compareFindings(const Side &Old,
                                                   const Side &New);

/// The \p Most changes that matter most, with their lines on both sides.
std::vector<report::DiffPicture>
drawChanges(llvm::ArrayRef<layout::FindingChange> Changes, const Side &Old,
            const Side &New, size_t Most, ReportDetails::Warning Warn);

struct PageChoice {
  /// The JSON of linesman ab on the two; a path, or empty.
  std::string Measured;
  /// The number of changes that are drawn at most.
  size_t Most;
  /// What paths are named from.
  const report::SourceRoot &Tree;
};

/// What a page shows of two binaries. Fails where the measurements cannot be
/// read.
llvm::Expected<report::DiffPage> drawPage(const report::DiffReport &Report,
                                          const Side &Old, const Side &New,
                                          const PageChoice &Choice,
                                          ReportDetails::Warning Warn);

/// Fails, with the reason, where hardly any code of a side was read.
llvm::Error checkRead(const Side &Compared);

/// Fails, with the reason, where what is known of a side is too little to lock.
llvm::Error checkLockable(const Side &Compared);

/// What \p Now is against the lock \p Accepted, which was read from \p Path.
/// \p Tolerance as in layout::checkLock.
llvm::Expected<layout::LockCheck>
checkSide(const layout::Lock &Accepted, llvm::StringRef Path, const Side &Now,
          double Tolerance = layout::DefaultTolerance);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_DIFFSIDES_H
