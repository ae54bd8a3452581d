// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that several commands have: said and read in one way.

#ifndef LINESMAN_TOOLS_SHAREDOPTIONS_H
#define LINESMAN_TOOLS_SHAREDOPTIONS_H

#include "Commands.h"
#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Finding.h"
#include "linesman/Report/Document.h"
#include "options/OptionTable.h"
#include "llvm/Support/CommandLine.h"

namespace linesman::tool {

using options::NumberOption;

enum class Format { Text, Json, Html, Sarif, GitLab, Markdown };

struct FormatOption : llvm::cl::opt<Format> {
  explicit FormatOption(llvm::cl::SubCommand &Command)
      : opt("format", llvm::cl::desc("Form of the report"),
            llvm::cl::values(
                clEnumValN(Format::Text, "text", "for a terminal (default)"),
                clEnumValN(Format::Json, "json", "schema 1")),
            llvm::cl::init(Format::Text), llvm::cl::sub(Command)) {}
};

/// For reports with findings.
struct FindingsFormatOption : llvm::cl::opt<Format> {
  /// Whether there is a page to draw.
  enum class Page : uint8_t { None, Drawn };

  FindingsFormatOption(llvm::cl::SubCommand &Command, Format Default,
                       Page Drawn)
      : opt("format", llvm::cl::desc("Form of the report"),
            llvm::cl::values(
                clEnumValN(Format::Text, "text", "for a terminal"),
                clEnumValN(Format::Json, "json", "schema 1"),
                clEnumValN(Format::Sarif, "sarif",
                           "SARIF 2.1.0, for code scanning and editors"),
                clEnumValN(Format::GitLab, "gitlab",
                           "GitLab's code quality report"),
                clEnumValN(Format::Markdown, "markdown",
                           "a comment for a pull request")),
            llvm::cl::init(Default), llvm::cl::sub(Command)) {
    if (Drawn == Page::Drawn)
      getParser().addLiteralOption(
          "html", Format::Html,
          "one page for a browser, with a map of all lines");
  }
};

struct OutputOption : llvm::cl::opt<std::string> {
  explicit OutputOption(llvm::cl::SubCommand &Command)
      : opt("o", llvm::cl::desc("Write to this file, not stdout"),
            llvm::cl::value_desc("file"), llvm::cl::sub(Command)) {}
};

struct SecondsOption : NumberOption<double> {
  SecondsOption(llvm::StringRef Name, llvm::StringRef Description,
                llvm::cl::SubCommand &Command)
      : NumberOption(Name, llvm::cl::desc(Description),
                     llvm::cl::value_desc("seconds"), llvm::cl::sub(Command)) {}

  /// Above 0 where it is given, and short enough to count in nanoseconds.
  llvm::Error check() const {
    constexpr double Most = 1e6; // More than eleven days.
    if (!getNumOccurrences() || (getValue() > 0 && getValue() <= Most))
      return llvm::Error::success();
    return llvm::createStringError("--" + ArgStr +
                                   ": expected seconds above 0, at most "
                                   "1000000");
  }
};

struct LineSizeOption : NumberOption<uint64_t> {
  explicit LineSizeOption(
      llvm::cl::SubCommand &Command,
      llvm::StringRef Description = "Bytes of a cache line (64)")
      : NumberOption("line-size", llvm::cl::desc(Description),
                     llvm::cl::value_desc("bytes"), llvm::cl::init(64),
                     llvm::cl::sub(Command)) {}

  /// From the smallest line that ever shipped to a generous sector.
  llvm::Error check() const {
    return checkPowerOfTwo(ArgStr, getValue(), 16, 4096);
  }
};

struct PageSizeOption : NumberOption<uint64_t> {
  explicit PageSizeOption(llvm::cl::SubCommand &Command)
      : NumberOption("page-size", llvm::cl::desc("Bytes of a page (4096)"),
                     llvm::cl::value_desc("bytes"), llvm::cl::init(4096),
                     llvm::cl::sub(Command)) {}

  llvm::Error check() const {
    return checkPowerOfTwo(ArgStr, getValue(), 4096, uint64_t(1) << 30);
  }
};

struct FactsOption : llvm::cl::opt<input::FactsFrom> {
  explicit FactsOption(llvm::cl::SubCommand &Command)
      : opt("facts", llvm::cl::desc("Who tells what functions do"),
            llvm::cl::values(
                clEnumValN(input::FactsFrom::Compiler, "compiler",
                           "the facts section"),
                clEnumValN(input::FactsFrom::Code, "code", "the instructions"),
                clEnumValN(
                    input::FactsFrom::Auto, "auto",
                    "the facts section where it has a function (default)")),
            llvm::cl::init(input::FactsFrom::Auto), llvm::cl::sub(Command)) {}
};

struct FailOn : llvm::cl::opt<layout::Rung> {
  explicit FailOn(llvm::cl::SubCommand &Command)
      : opt("fail-on",
            llvm::cl::desc(
                "Exit with 1 when a finding is on this rung or above"),
            llvm::cl::values(
                clEnumValN(layout::Rung::Suspected, "suspected", ""),
                clEnumValN(layout::Rung::Located, "located", ""),
                clEnumValN(layout::Rung::Observed, "observed", ""),
                clEnumValN(layout::Rung::Costed, "costed", "")),
            llvm::cl::sub(Command)) {}

  /// Of a command that is a gate without being asked.
  void judgeFrom(layout::Rung Least) {
    setInitialValue(Least);
    IsGate = true;
  }
  bool isAsked() const { return IsGate || getNumOccurrences(); }
  /// Whether a finding on \p On is one to fail on.
  bool covers(layout::Rung On) const { return isAsked() && On >= getValue(); }

private:
  bool IsGate = false;
};

/// What was accepted: what --write-baseline wrote, or JSON of the same command.
/// Only what is new or worse fails.
struct BaselineOption : llvm::cl::opt<std::string> {
  explicit BaselineOption(llvm::cl::SubCommand &Command)
      : opt("baseline",
            llvm::cl::desc("With --fail-on: only findings that are new or "
                           "worse than in this report (JSON)"),
            llvm::cl::value_desc("file"), llvm::cl::sub(Command)) {}

  llvm::Error check(const FailOn &Fails) const;
  llvm::Expected<report::Document> read() const;
};

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_SHAREDOPTIONS_H
