// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of every command that has findings:
//
//     Findings ─┬─▶ the report, in the form that was asked for
//               ├─▶ a new baseline
//               └─▶ what is new or worse than accepted ─▶ Gate

#ifndef LINESMAN_REPORT_DELIVER_H
#define LINESMAN_REPORT_DELIVER_H

#include "linesman/Report/Document.h"
#include "linesman/Report/Merge.h"
#include <functional>

namespace linesman::report {

enum class Format : uint8_t {
  Text,
  Json,
  Html,
  Sarif,
  GitLab,
  Markdown,
  Patch
};

/// The number of findings that are shown if nobody said how many: what a reader
/// of this form takes in. \p All there are.
uint64_t mostShown(Format Form, uint64_t All);

/// What a command has found, ready to be written.
struct Findings {
  /// Both write what is shown; the comparison is null without a baseline.
  std::function<void(const Comparison *, llvm::raw_ostream &)> Text, Json;
  /// Of what Json wrote. Null where the command has no page.
  std::function<llvm::Error(llvm::StringRef, llvm::raw_ostream &)> Html =
      nullptr;
  /// Null where it is that of all findings.
  std::function<void(const Comparison *, llvm::raw_ostream &)> Markdown =
      nullptr;
  /// All findings as JSON, also those that are not shown; null where Json has
  /// all.
  std::function<void(llvm::raw_ostream &)> Whole = nullptr;
  /// The highest rung of any finding that fails a gate; nothing without one.
  std::optional<layout::Rung> Highest;
  /// Which findings a gate judges and a baseline has; null for all.
  std::function<bool(const Finding &)> IsJudged = nullptr;
};

/// Findings of several lists, of which at most \p Most are shown in text, in
/// \p Columns, and elsewhere but in JSON: that is for the next command, which
/// wants all. Refers to \p Merged.
Findings mergedFindings(const MergedFindings &Merged, Format Form,
                        uint64_t Most, size_t Columns);

/// What becomes of findings.
struct Delivery {
  Format Form = Format::Text;
  /// Paths; an empty Output, or "-", is stdout, an empty baseline none.
  std::string Output, Baseline, NewBaseline;
  /// As the user gave it (findSourceRoot).
  std::string Root;
  /// Whether text on stdout has colour.
  bool IsPainted = false;
  /// The gate: a finding on this rung or above fails.
  std::optional<layout::Rung> FailsOn;
  /// Of the program.
  llvm::StringRef Version;

  /// Whether findings that are not shown are judged or accepted, too.
  bool wantsAll() const { return !Baseline.empty() || !NewBaseline.empty(); }
  /// Before anything is read: fails where a file can not be read or written.
  llvm::Error check() const;
};

enum class Gate : uint8_t { Passes, Fails };

/// Writes and judges. What a form can not say, and which findings fail, goes to
/// \p Notes.
llvm::Expected<Gate> deliver(const Delivery &Asked, const Findings &Found,
                             llvm::raw_ostream &Notes);

} // namespace linesman::report

#endif // LINESMAN_REPORT_DELIVER_H
