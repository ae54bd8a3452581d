// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "terminal/StatusLine.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace linesman::terminal {

/// To the first column, and clear the line.
static constexpr StringLiteral Erase = "\r\033[K";

StatusLine::StatusLine()
    : StatusLine(errs(), sys::Process::StandardErrIsDisplayed()
                             ? Device::Terminal
                             : Device::Other) {}

void StatusLine::show(const Twine &Text) {
  if (!IsTerminal)
    return;
  OS << Erase << guard::printable(Text.str());
  OS.flush();
  HasText = true;
}

void StatusLine::clear() {
  if (!HasText)
    return;
  OS << Erase;
  OS.flush();
  HasText = false;
}

} // namespace linesman::terminal
