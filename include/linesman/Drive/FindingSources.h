// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `linesman findings` merges, as it was read.

#ifndef LINESMAN_DRIVE_FINDINGSOURCES_H
#define LINESMAN_DRIVE_FINDINGSOURCES_H

#include "linesman/Report/Merge.h"
#include "llvm/Support/Error.h"

namespace linesman::drive {

struct FindingFiles {
  /// What clang-tidy exported or printed; "-" is stdin.
  std::vector<std::string> Tidy;
  /// Objects, archives and folders of them.
  std::vector<std::string> Objects;
  /// A linked binary; empty for none.
  std::string Binary;
  /// JSON of our commands.
  std::vector<std::string> Reports;
};

struct BlindSource {
  std::string Path;
  /// A sentence, for a note.
  std::string Reason;
  /// How a gate goes on after it.
  std::string Cure = {};
};

/// All that was read, before it is merged.
struct FindingSources {
  std::vector<report::FindingsList> Lists;
  report::MergeOptions Merge;
  /// What the compiler reported, file by file: the checks have not seen all.
  llvm::Error Incomplete = llvm::Error::success();
  /// What a finding of these sources can stand on at most.
  layout::Rung Highest = layout::Rung::Suspected;
  /// Sources that a gate can not judge, since they may have missed what is
  /// there.
  std::vector<BlindSource> Blind;
  /// Findings that reports left out (--top), and one of those reports.
  uint64_t Hidden = 0;
  std::string HidingReport;
  /// Diagnostics of others' checks, which were passed over.
  uint64_t OtherChecks = 0;
};

llvm::Expected<FindingSources> readSources(const FindingFiles &Files);

/// For a gate: fails where a source may have missed what is there.
llvm::Error checkSeen(const FindingSources &Sources);

/// For a gate that found nothing to fail on: fails where a report left out
/// findings that nobody has judged.
llvm::Error checkWhole(const FindingSources &Sources);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_FINDINGSOURCES_H
