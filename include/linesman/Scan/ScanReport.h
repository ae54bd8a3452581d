// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings of many programs as one ranked table.

#ifndef LINESMAN_SCAN_SCANREPORT_H
#define LINESMAN_SCAN_SCANREPORT_H

#include "linesman/Report/Document.h"
#include "linesman/Scan/State.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::scan {

/// What is the same object wherever it is found, with all its lines: it has the
/// same name and size, and the same functions write it. An object without a
/// name, of which a stripped file has many, is the same in files with the same
/// contents only.
struct Row {
  /// Its lines in each file that has it; the highest score comes first.
  struct Place {
    const ScannedFile *File;
    /// One of File's.
    const std::string *Finding;
    double Score;
  };
  std::vector<Place> Places;
  /// Line transfers an operation, at most: of the first place.
  double Score = 0;

  /// The files that have it, each once.
  std::vector<const ScannedFile *> files() const;
  /// The highest one.
  llvm::json::Object finding() const;
};

struct ScanReport {
  const State &Scanned;
  /// By score, the highest first.
  std::vector<Row> Rows = {};
  /// That it was stopped, and which packages could not be had.
  std::vector<std::string> Notes = {};

  /// Files that were read, with findings among them, and that were not.
  size_t Read = 0, WithFindings = 0, NotRead = 0;
  /// Findings of all files, also those that no row shows.
  uint64_t Findings = 0;

  /// Of all rows: line transfers an operation, at most.
  double totalScore() const;
  /// Why no gate can pass on it: what it could not see. Empty where one can.
  std::string whyBlind() const;
};

ScanReport rankScan(const State &Known);

/// At most \p Top rows, and what was not read. \p Changes may be null; else
/// rows are those that are new or worse than accepted.
void writeText(const ScanReport &Report, size_t Top, size_t Columns,
               const report::Comparison *Changes, llvm::raw_ostream &OS);
/// Schema 1: every row is a finding with the files that have it.
void writeJson(const ScanReport &Report, size_t Top,
               const report::Comparison *Changes, llvm::raw_ostream &OS);
/// One page that needs no network: at most \p Top rows, sorted and searched in
/// the browser.
void writeHtml(const ScanReport &Report, size_t Top, llvm::raw_ostream &OS);

} // namespace linesman::scan

#endif // LINESMAN_SCAN_SCANREPORT_H
