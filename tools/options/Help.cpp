// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --help of one command:
//
//     linesman lock: accept the line-mates of a binary
//
//     usage: linesman lock [OPTIONS] BINARY
//
//     what is read:
//       --facts=<value>     - Source of access facts
//     ...
//     examples:
//       linesman lock server -o server.lock     accept what is there now

#include "options/Help.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace linesman::options {

void writeHelp(const OptionTable &Table, const CommandPage &Page) {
  raw_ostream &OS = outs();
  OS << "linesman " << Table.command() << ": " << Page.Purpose
     << "\n\nusage: linesman " << Table.command() << " [OPTIONS]";
  if (std::string Wanted = Table.wanted(); !Wanted.empty())
    OS << ' ' << Wanted;
  OS << '\n';
  std::vector<OptionGroup> Groups = Table.groups();
  size_t Width = 0;
  for (const OptionGroup &Group : Groups)
    for (const OptionRow &Row : Group.Rows)
      Width = std::max(Width, Row.Option->getOptionWidth());
  for (const OptionGroup &Group : Groups) {
    OS << '\n' << Group.Title << ":\n";
    // cl prints its rows, with the values of an option below it, to outs().
    for (const OptionRow &Row : Group.Rows)
      Row.Option->printOptionInfo(Width);
  }
  OS << "\nexamples:\n";
  size_t Longest = 0;
  constexpr size_t MostInLine = 60;
  for (const Example &E : Page.Examples)
    if (E.Line.size() <= MostInLine)
      Longest = std::max(Longest, E.Line.size());
  for (const Example &E : Page.Examples)
    if (E.Line.size() <= MostInLine)
      OS << "  " << left_justify(E.Line, Longest + 3) << E.Purpose << '\n';
    else
      OS << "  " << E.Line << "\n      " << E.Purpose << '\n';
}

} // namespace linesman::options
