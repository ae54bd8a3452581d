// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of every command that has findings, and its exit code.

#ifndef LINESMAN_TOOLS_DELIVER_H
#define LINESMAN_TOOLS_DELIVER_H

#include "SharedOptions.h"
#include "linesman/Report/Deliver.h"

namespace linesman::tool {

struct SourceRootOption : Text {
  explicit SourceRootOption(llvm::cl::SubCommand &Command)
      : Text(Command, "source-root", "folder",
             "Name sources from this folder (the repository; / keeps whole "
             "paths); text has whole paths") {}
};

enum class ColorWhen : uint8_t { Auto, Always, Never };

/// --format, -o, --color, --source-root, --fail-on, --baseline and
/// --write-baseline.
struct DeliveryOptions {
  DeliveryOptions(llvm::cl::SubCommand &Command, Format Default,
                  FindingsFormatOption::Also Extra);

  FindingsFormatOption Form;
  OutputOption Output;
  Choice<ColorWhen> Color;
  SourceRootOption Root;
  FailOn Fails;
  BaselineOption Baseline;
  Text NewBaseline;

  /// What they ask for.
  report::Delivery request() const;
  /// Before anything is read.
  llvm::Error check() const;
  /// Writes, and judges: Success or Found.
  llvm::Expected<int> deliver(const report::Findings &Found) const;
};

/// How many findings of several lists are shown, where \p Top may say so.
llvm::Expected<int>
deliverMerged(const DeliveryOptions &Delivery,
              const report::MergedFindings &Merged, const Number<unsigned> &Top,
              std::function<bool(const report::Finding &)> IsJudged = nullptr);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_DELIVER_H
