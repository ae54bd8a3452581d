// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report of any command as one type: what SARIF, GitLab, Markdown, baselines
// and gates work on. They know findings and no command.
//
//     layout ──┐                      ┌─▶ writeSarif
//     findings ┼─▶ schema 1 ─▶ Document ─▶ writeGitLab, writeMarkdown
//     watch ───┘   (JSON)             └─▶ compare (baselines)

#ifndef LINESMAN_REPORT_DOCUMENT_H
#define LINESMAN_REPORT_DOCUMENT_H

#include "linesman/Guard/Document.h"
#include "linesman/Layout/Address.h"
#include "linesman/Report/Finding.h"
#include <set>

namespace linesman::report {

/// What a comparison with a baseline came to.
struct Comparison {
  size_t New = 0, Worse = 0, Better = 0, Gone = 0;
  /// Identities (Finding::Id) of what is new or worse: what text shows.
  std::set<std::string, std::less<>> Unaccepted;
  double OldTotal = 0, Total = 0;
};

struct Document {
  std::string Command, Binary;
  uint64_t LineSize = layout::LineSize().Bytes;
  std::vector<std::string> Notes;
  std::vector<Finding> Findings;
  /// Findings that are not in it: --top, --filter.
  uint64_t Hidden = 0;
  /// Of all findings, also of those that are not in it: line transfers an
  /// operation, at most.
  double TotalScore = 0;
  std::optional<Comparison> Changes;
  /// Why no gate can judge it, in a sentence: it may have missed what is there.
  /// Empty where one can.
  std::string Blind;
  /// That a finding of this report can stand on at most.
  layout::Rung Reach = layout::Rung::Costed;
};

/// A score of any report: six digits, null where it is not finite.
void writeScore(llvm::StringRef Key, double Score, llvm::json::OStream &Json);

/// "total_score", and "against" where there is a baseline.
void writeTotal(double Total, const Comparison *Changes,
                llvm::json::OStream &Json);
/// "blind" where a gate can not judge the report, and "highest_rung" where its
/// findings can not come as high as \p Usual, that of its command.
void writeLimits(llvm::StringRef Blind, layout::Rung Reach, layout::Rung Usual,
                 llvm::json::OStream &Json);
/// The same for people: "total score 12 (line transfers an operation, at
/// most)", and what changed.
std::string describeTotal(double Total, const Comparison *Changes);
/// "1 new, 0 worse, 2 better, 0 gone"
std::string describeChanges(const Comparison &Changes);
/// "false-sharing, score 12, located"; what only checks suspect has no score.
std::string describeStanding(const Finding &Found);

/// A report of any command. Fails where it is none of schema 1, or a finding
/// has no id or rung; what else is missing or of another type is left out.
llvm::Expected<Document> readReport(const llvm::json::Value &Root);
/// The same of its text.
llvm::Expected<Document> parseReport(llvm::StringRef Text);
/// The same of the file \p Path, which the error names.
llvm::Expected<Document>
readReportFile(llvm::StringRef Path,
               guard::Source Origin = guard::Source::File);

/// The rung that findings of \p Command can stand on at most; the last for what
/// takes findings from others (findings, watch).
layout::Rung highestRung(llvm::StringRef Command);

/// Where the cure goes: the definition for what layout cures, and the heaviest
/// write for what code cures; or any place that the finding has. Nothing where
/// it has none.
SourcePlace primaryPlace(const Finding &Found);

/// A thread's name, or its number where it has none.
std::string threadName(const ObservedAccess &Access);

/// Every place that a finding names.
std::vector<SourcePlace> placesOf(const Finding &Found);

/// What stays the same when lines of the source or addresses change: the
/// identity, without folders, lines and offsets. Of a scan the one in the first
/// file.
std::string stableKey(const Finding &Found);
/// The same in each file of a scan, "squid/squid: requests": many programs have
/// an object of that name. One that is stableKey's for all others.
std::vector<std::string> stableKeys(const Finding &Found);

/// The finding in a sentence.
std::string summarize(const Finding &Found);
/// What was measured: of a page that was moved what it explains, of a build
/// with the object apart how it compares.
std::string costText(const FindingCost &Cost);

/// Each place in the source that \p Found names, to be changed.
void eachPlace(Finding &Found, llvm::function_ref<void(SourcePlace &)> Change);

/// Which source tree a report is about: no path of the machine stands in it.
class SourceRoot {
public:
  /// \p Root as the user gave it; empty: the repository that \p Current is in,
  /// or \p Current. "/" keeps paths as they are.
  SourceRoot(llvm::StringRef Root, llvm::StringRef Current);

  /// Below the root, "src/a.cpp". Of what is elsewhere the file's name only.
  std::string relative(llvm::StringRef Path) const;
  /// Where the file of a report is: what is relative is of the root.
  std::string whole(llvm::StringRef Path) const;
  void apply(Document &Changed) const;
  void apply(Finding &Changed) const;
  /// The same of a JSON report's text, which has one key a line, as
  /// json::OStream writes it: a parsed value would lose the order of the keys.
  std::string apply(llvm::StringRef Json) const;

private:
  std::string Root;
  bool KeepsAll = false;
  std::string relativePlace(llvm::StringRef Text) const;
  std::string relativeEnd(llvm::StringRef Text) const;
  std::string relativeValue(llvm::StringRef Key, llvm::StringRef Text) const;
};

/// The tree that a report's paths are of: \p Given, or the one that we are in.
llvm::Expected<SourceRoot> findSourceRoot(llvm::StringRef Given);

} // namespace linesman::report

#endif // LINESMAN_REPORT_DOCUMENT_H
