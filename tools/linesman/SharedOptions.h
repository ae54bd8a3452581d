// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that several commands have: said and read in one way.

#ifndef LINESMAN_TOOLS_SHAREDOPTIONS_H
#define LINESMAN_TOOLS_SHAREDOPTIONS_H

#include "Commands.h"
#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Finding.h"
#include "linesman/Report/Deliver.h"
#include "options/Kinds.h"

namespace linesman::tool {

using options::Choice;
using options::Flag;
using options::Number;
using options::Rest;
using options::Text;
using options::Texts;
using options::Wanted;

using report::Format;

struct FormatOption : Choice<Format> {
  explicit FormatOption(llvm::cl::SubCommand &Command)
      : Choice(Command, "format", "Form of the report",
               {{"text", Format::Text, "for a terminal (default)"},
                {"json", Format::Json, "schema 1"}}) {}
};

/// For reports with findings.
struct FindingsFormatOption : Choice<Format> {
  /// A form that not every command has: a page where there are lines to draw, a
  /// patch where checks have spoken.
  enum class Also : uint8_t { Nothing, Page, Patch };

  FindingsFormatOption(llvm::cl::SubCommand &Command, Format Default,
                       Also Extra)
      : Choice(Command, "format", "Form of the report",
               {{"text", Format::Text, "for a terminal"},
                {"json", Format::Json, "schema 1"},
                {"sarif", Format::Sarif,
                 "SARIF 2.1.0, for code scanning and editors"},
                {"gitlab", Format::GitLab, "GitLab's code quality report"},
                {"markdown", Format::Markdown, "a comment for a pull request"}},
               Default) {
    if (Extra == Also::Page)
      getParser().addLiteralOption(
          "html", Format::Html,
          "one page for a browser, with a map of all lines");
    if (Extra == Also::Patch)
      getParser().addLiteralOption(
          "patch", Format::Patch,
          "what the checks would change, for git apply and patch -p1");
  }
};

struct OutputOption : Text {
  explicit OutputOption(llvm::cl::SubCommand &Command)
      : Text(Command, "o", "file", "Write to this file, not stdout") {}
};

/// --pid, where the program is one that runs already.
struct PidOption : Number<int> {
  PidOption(llvm::cl::SubCommand &Command, llvm::StringRef Does)
      : Number(Command, "pid", "pid", Does) {}

  /// Either this or the words of \p Program; else fails with \p Expected.
  llvm::Error check(const Rest &Program, llvm::StringRef Expected) const;
};

struct Seconds : Number<double> {
  Seconds(llvm::cl::SubCommand &Command, llvm::StringRef Name,
          llvm::StringRef Does)
      : Number(Command, Name, "seconds", Does) {}

  /// Above 0 where it is given, and short enough to count in nanoseconds.
  llvm::Error check() const;
};

struct LineSizeOption : Number<uint64_t> {
  explicit LineSizeOption(llvm::cl::SubCommand &Command,
                          llvm::StringRef Does = "Bytes of a cache line (64)")
      : Number(Command, "line-size", "bytes", Does, layout::LineSize().Bytes) {}

  llvm::Error check() const {
    return checkPowerOfTwo(ArgStr, getValue(), layout::LineSize::Least,
                           layout::LineSize::Most);
  }
};

struct PageSizeOption : Number<uint64_t> {
  explicit PageSizeOption(llvm::cl::SubCommand &Command)
      : Number(Command, "page-size", "bytes", "Bytes of a page (4096)",
               layout::PageSize().Bytes) {}

  llvm::Error check() const {
    return checkPowerOfTwo(ArgStr, getValue(), layout::PageSize::Least,
                           layout::PageSize::Most);
  }
};

struct FactsOption : Choice<input::FactsFrom> {
  explicit FactsOption(llvm::cl::SubCommand &Command)
      : Choice(Command, "facts", "Source of access facts",
               {{"compiler", input::FactsFrom::Compiler, "the facts section"},
                {"code", input::FactsFrom::Code, "the instructions"},
                {"auto", input::FactsFrom::Auto,
                 "the facts section where it has a function (default)"}},
               input::FactsFrom::Auto) {}
};

/// input::readRanked, with a line on a terminal when it takes long.
llvm::Expected<input::Binary>
readWaiting(llvm::StringRef Path,
            input::FactsFrom Facts = input::FactsFrom::Auto);

struct FailOn : Choice<layout::Rung> {
  explicit FailOn(llvm::cl::SubCommand &Command)
      : Choice(Command, "fail-on",
               "Exit with 1 when a finding is on this rung or above",
               {{"suspected", layout::Rung::Suspected, ""},
                {"located", layout::Rung::Located, ""},
                {"observed", layout::Rung::Observed, ""},
                {"costed", layout::Rung::Costed, ""}}) {}

  /// Of a command that is a gate without being asked.
  void judgeFrom(layout::Rung Least) {
    setInitialValue(Least);
    IsGate = true;
  }
  bool isAsked() const { return IsGate || getNumOccurrences(); }
  /// Fails where nothing that \p Input can say is on the rung that was asked
  /// for: such a gate would always pass.
  llvm::Error checkReach(layout::Rung Highest, llvm::StringRef Input) const;

private:
  bool IsGate = false;
};

/// What was accepted: what --write-baseline wrote, or JSON of the same command.
/// Only what is new or worse fails.
struct BaselineOption : Text {
  explicit BaselineOption(llvm::cl::SubCommand &Command)
      : Text(Command, "baseline", "file",
             "With --fail-on: only findings that are new or worse than in "
             "this report (JSON)") {}
};

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_SHAREDOPTIONS_H
