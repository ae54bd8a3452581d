// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search found, in text and JSON.

#ifndef LINESMAN_DRIVE_BISECTREPORT_H
#define LINESMAN_DRIVE_BISECTREPORT_H

#include "linesman/Drive/BisectSetup.h"
#include "linesman/Drive/BisectWhole.h"
#include "linesman/Layout/Finding.h"

namespace linesman::drive {

/// What the candidates are: decides the words.
enum class SearchedFor : uint8_t { Pages, Symbols };

struct BisectReport {
  llvm::StringRef Program;
  /// "seconds", "verdict", or the expression.
  std::string Metric;
  bool Simulated = false;
  SearchedFor Searched = SearchedFor::Pages;
  const bisect::Result &Result;
  llvm::ArrayRef<PageCandidate> Candidates;
  /// The program's binary and the findings of its facts; null without.
  const input::Binary *Binary = nullptr;
  llvm::ArrayRef<layout::LineFinding> Findings;
  std::vector<std::string> Notes;
  /// Why "no effect" would say too much; empty where it would not.
  std::string CannotTell;
  /// Static pages of modules that were not searched; null for symbols.
  const std::map<std::string, size_t> *NotSearched = nullptr;

  /// Whether the search can say that something, or that nothing, is there.
  bool hasVerdict() const;
};

/// One report of the pages, and one for each culprit whose symbols were
/// searched.
struct WholeReport {
  BisectReport Pages;
  std::vector<std::optional<BisectReport>> Symbols;
};

/// Views into \p Whole.
WholeReport makeReport(const WholeSearch &Whole, const BisectConfig &Config,
                       bool IsSimulated);

void writeText(const BisectReport &Report, llvm::raw_ostream &OS);
/// The pages, then the symbols of each page that were searched.
void writeText(const WholeReport &Report, llvm::raw_ostream &OS);
/// Schema 1, findings on the rung `costed`. \p Symbols has what the searches of
/// the culprits' pages found, one for each culprit of \p Pages: a symbol stands
/// in the place of its page.
void writeJson(const BisectReport &Pages,
               llvm::ArrayRef<std::optional<BisectReport>> Symbols,
               llvm::raw_ostream &OS);

/// That there is nothing to search.
void writeOneNodeText(llvm::raw_ostream &OS);
void writeOneNodeJson(llvm::raw_ostream &OS);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_BISECTREPORT_H
