// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of every command that has findings: the report in the form that was
// asked for, what is new or worse than accepted, and the exit code.

#ifndef LINESMAN_TOOLS_DELIVER_H
#define LINESMAN_TOOLS_DELIVER_H

#include "Color.h"
#include "SharedOptions.h"
#include "linesman/Report/Merge.h"

namespace linesman::tool {

/// What a command has found, ready to be written.
struct Findings {
  /// Both write what is shown; the comparison is null without a baseline.
  std::function<void(const report::Comparison *, llvm::raw_ostream &)> Text,
      Json;
  /// Of what Json wrote. May be null.
  std::function<llvm::Error(llvm::StringRef, llvm::raw_ostream &)> Html =
      nullptr;
  /// Null where it is that of all findings.
  std::function<void(const report::Comparison *, llvm::raw_ostream &)>
      Markdown = nullptr;
  /// All findings as JSON, also those that are not shown; null where Json has
  /// all.
  std::function<void(llvm::raw_ostream &)> Whole = nullptr;
  /// The highest rung of any finding that fails a gate; nothing without one.
  std::optional<layout::Rung> Highest;
  /// Which findings a gate judges and a baseline has; null for all.
  std::function<bool(const report::Finding &)> IsJudged = nullptr;
};

struct SourceRootOption : llvm::cl::opt<std::string> {
  explicit SourceRootOption(llvm::cl::SubCommand &Command)
      : opt("source-root",
            llvm::cl::desc("Name sources from this folder (the repository; / "
                           "keeps whole paths); text has whole paths"),
            llvm::cl::value_desc("folder"), llvm::cl::sub(Command)) {}
};

/// --format, -o, --color, --source-root, --fail-on, --baseline and
/// --write-baseline.
struct DeliveryOptions {
  DeliveryOptions(llvm::cl::SubCommand &Command, Format Default,
                  FindingsFormatOption::Also Extra);

  FindingsFormatOption As;
  OutputOption Output;
  ColorOption Color;
  SourceRootOption Root;
  FailOn Fails;
  BaselineOption Baseline;
  llvm::cl::opt<std::string> NewBaseline;

  /// Whether findings that are not shown are judged or accepted, too.
  bool wantsAll() const { return !Baseline.empty() || !NewBaseline.empty(); }
  /// Before anything is read.
  llvm::Error check() const;
  /// Writes, and judges: Success or Found.
  llvm::Expected<int> deliver(const Findings &Found) const;
};

/// At most so many findings where nobody said how many: what a reader of this
/// form takes in. \p All there are.
uint64_t mostShown(Format As, uint64_t All);

/// Findings of several lists, of which at most \p Top are shown.
llvm::Expected<int>
deliverMerged(const DeliveryOptions &Delivery,
              const report::MergedFindings &Merged, std::optional<uint64_t> Top,
              std::function<bool(const report::Finding &)> IsJudged = nullptr);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_DELIVER_H
