// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the options of every report say.

#include "linesman/Guard/Output.h"
#include "Color.h"
#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Guard/Document.h"
#include "linesman/Guard/Text.h"
#include "linesman/Report/Paint.h"
#include "linesman/Report/Report.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace linesman::tool {

Expected<report::SourceRoot> findSourceRoot(StringRef Given) {
  SmallString<256> Current;
  if (std::error_code EC = sys::fs::current_path(Current))
    return createFileError(".", EC);
  return report::SourceRoot(Given, Current);
}

Error PidOption::check(const Rest &Program, StringRef Expected) const {
  const bool IsGiven = getNumOccurrences() != 0;
  if (IsGiven == !Program.empty())
    return createStringError(Expected + ": --pid PID or -- COMMAND");
  if (IsGiven && getValue() <= 0)
    return createStringError("--pid=" + Twine(getValue()) +
                             ": expected a process number");
  return Error::success();
}

Error Seconds::check() const {
  constexpr double Most = 1e6; // More than eleven days.
  if (!getNumOccurrences() || (getValue() > 0 && getValue() <= Most))
    return Error::success();
  return createStringError("--" + ArgStr +
                           ": expected seconds above 0, at most 1000000");
}

Error FailOn::checkReach(layout::Rung Highest, StringRef Input) const {
  if (!isAsked() || getValue() <= Highest)
    return Error::success();
  return createStringError("--fail-on=" + report::word(getValue()) +
                           ": no finding of " + Input + " is above " +
                           report::word(Highest) +
                           ", so --fail-on has nothing to judge");
}

Error BaselineOption::check(const FailOn &Fails) const {
  if (getValue().empty() || Fails.isAsked())
    return Error::success();
  return createStringError("--baseline goes with --fail-on: it says which "
                           "findings do not fail");
}

Expected<report::Document> BaselineOption::read() const {
  auto File = guard::readDocument(getValue());
  if (!File)
    return File.takeError();
  Expected<report::Document> Report = report::parseReport((*File)->getBuffer());
  if (!Report)
    return createFileError(getValue(), Report.takeError());
  return Report;
}

void warn(StringRef Text) { errs() << "linesman: warning: " << Text << '\n'; }

size_t textColumns(StringRef Output) {
  const bool IsStdout = Output.empty() || Output == "-";
  const unsigned Terminal = IsStdout ? sys::Process::StandardOutColumns() : 0;
  return Terminal ? std::clamp<size_t>(Terminal, 80, 160)
                  : report::PlainColumns;
}

Error writePainted(StringRef Report) {
  std::string Printable;
  raw_string_ostream OS(Printable);
  guard::PrintableStream(OS) << Report;
  outs() << report::paint(Printable);
  return guard::flushStdout();
}

} // namespace linesman::tool
