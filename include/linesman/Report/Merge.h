// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings of several commands as one list: what is about one thing is one
// finding, on the highest rung that any of them stands on, with all that
// supports it.
//
//     checks    Cache::hits ──┐
//     fields    Cache::hits ──┴─▶ Cache::hits  evidence: 2
//     variables stats       ────▶ stats        evidence: 1
//
// It works on findings of any command, from reports or before they are written.

#ifndef LINESMAN_REPORT_MERGE_H
#define LINESMAN_REPORT_MERGE_H

#include "linesman/Report/Document.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace linesman::report {

/// What tells of one thing in all reports: "store::Node::nil_root" for
/// "shard.cpp:store::Node<int>::nil_root+0x40", "Shelf::lock" for
/// "Shelf[].lock". Without template arguments, parameters, files, offsets and
/// anonymous namespaces.
std::string plainIdentity(llvm::StringRef Id);

/// A rung by its word; nothing for other words.
std::optional<layout::Rung> parseRung(llvm::StringRef Word);

/// Findings of one origin, the best first.
struct FindingsList {
  /// "checks", "variables of a.o", "report watch.json"
  std::string Name;
  std::vector<Finding> Findings;
};

struct MergeOptions {
  /// By plain identity: what the facts of a unit say against a suspicion.
  llvm::StringMap<std::string> Contradicted;
  /// By plain identity: what is worth saying beside what lists say ("not on a
  /// shared line in this build").
  llvm::StringMap<std::string> Remarks;
};

struct MergedFindings {
  /// By rung, then by all evidence together. Each finding has the keys of the
  /// highest rung's, and "evidence".
  std::vector<Finding> Findings;
  /// Only suspected by a check, and contradicted by facts ("contradicted").
  std::vector<Finding> Dropped;
  /// "findings", or "tidy".
  llvm::StringRef Command = "findings";

  /// What first() left out, and the reports that were merged.
  uint64_t Hidden = 0;
  double HiddenScore = 0;
  /// Of what was merged (Document::Blind, Document::Reach).
  std::string Blind;
  layout::Rung Reach = layout::Rung::Costed;

  double totalScore() const;
  /// How many of Findings have evidence of several lists.
  uint64_t countJoint() const;
  /// The first \p Most findings.
  MergedFindings first(uint64_t Most) const;
  /// The highest rung of a finding; nothing without one.
  std::optional<layout::Rung> highest() const;
};

/// Ranks in lists of different scores add up by reciprocal rank fusion
/// (Cormack, Clarke and Buettcher, SIGIR 2009), which needs no weights: 1 / (60
/// + rank), of each list's best. What two lists say so comes before what one
/// says. Findings of checks have no rank among each other, since the order of
/// the source is none: each counts as a first.
MergedFindings mergeFindings(std::vector<FindingsList> Lists,
                             const MergeOptions &Options);

/// Schema 1. \p Changes is null without a baseline.
void writeJson(const MergedFindings &Merged, const Comparison *Changes,
               llvm::raw_ostream &OS);
/// At most \p Most findings, for a terminal \p Columns wide.
void writeText(const MergedFindings &Merged, uint64_t Most,
               const Comparison *Changes, size_t Columns,
               llvm::raw_ostream &OS);

} // namespace linesman::report

#endif // LINESMAN_REPORT_MERGE_H
