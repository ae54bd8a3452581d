// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the options of every report say.

#include "SharedOptions.h"
#include "linesman/Guard/Text.h"
#include "linesman/Input/Ranking.h"
#include "linesman/Report/Report.h"
#include "terminal/Waiting.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace linesman::tool {

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

Expected<input::Binary> readWaiting(StringRef Path, input::FactsFrom Facts) {
  terminal::Waiting Shown(("reading " + Path).str());
  return input::readRanked(Path, Facts);
}

void warn(StringRef Text) {
  guard::PrintableStream(errs()) << "linesman: warning: " << Text << '\n';
}

size_t textColumns(StringRef Output) {
  const bool IsStdout = Output.empty() || Output == "-";
  const unsigned Terminal = IsStdout ? sys::Process::StandardOutColumns() : 0;
  return Terminal ? std::clamp<size_t>(Terminal, 80, 160)
                  : report::PlainColumns;
}

} // namespace linesman::tool
