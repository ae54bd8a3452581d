// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of linesman layout, and what its two reports share.

#ifndef LINESMAN_TOOLS_LAYOUTOPTIONS_H
#define LINESMAN_TOOLS_LAYOUTOPTIONS_H

#include "Deliver.h"
#include "SharedOptions.h"
#include "linesman/Drive/WeighAccesses.h"
#include "linesman/Input/ReadBinary.h"
#include "linesman/Report/Report.h"

namespace linesman::tool {

struct LayoutOptions {
  llvm::cl::SubCommand Command{"layout", "Lines and pages of a binary"};
  Wanted Binary{Command, "BINARY"};
  FactsOption Facts{Command};
  LineSizeOption Line{Command};
  PageSizeOption Page{Command};
  Number<unsigned> Top{Command, "top", "n",
                       "At most this many findings (text: 10, markdown: 5, "
                       "html: 500, sarif, gitlab: 1000, json: all)"};
  Text Filter{Command, "filter", "regex",
              "Only findings with an occupant that matches"};
  Texts ThreadEntries{Command, "thread-entry", "function",
                      "Threads start at this function, besides the known ones; "
                      "may be repeated"};
  Text Samples{Command, "samples", "file",
               "Weigh functions by what a profiler saw: lines of "
               "SYMBOL+0xOFFSET or 0xADDRESS, and a count"};
  Text DebugFile{Command, "debug-file", "file",
                 "Symbols, facts and debug information of a stripped binary"};
  Texts DebugFolders{Command, "debug-dir", "folder",
                     "Look for debug files here first; may be repeated"};
  Text Debuginfod{Command, "debuginfod", "urls",
                  "Ask these servers for the debug file of a stripped binary "
                  "($DEBUGINFOD_URLS; empty: none)"};
  Flag Types{
      Command, "types",
      "Instead: fields of types that share a line in objects on the heap"};
  Number<uint64_t> HeapAlignment{
      Command, "heap-align", "bytes",
      "With --types: what objects are aligned to at least (16, malloc's)", 16};
  Flag Guesses{Command, "guesses",
               "Also lines where nothing says that threads often meet, behind "
               "all others"};
  Flag All{Command, "all", "List every line, also without facts"};
  DeliveryOptions To{Command, Format::Text, FindingsFormatOption::Page::Drawn};
};

drive::Weights weights(const LayoutOptions &Opts);

/// How many findings a report of \p All shows.
uint64_t mostShown(const LayoutOptions &Opts, uint64_t All);

/// \p Highest is the rung that findings of this kind are on; \p All has those
/// that \p Report hides, too, where it is asked for. Returns the exit code.
int writeReport(const LayoutOptions &Opts, report::LayoutReport &Report,
                const report::LayoutReport &All, bool IsEmpty,
                layout::Rung Highest);

/// The report of fields: linesman layout --types.
int layOutTypes(const LayoutOptions &Opts, input::Binary &Binary,
                std::vector<std::string> Notes);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_LAYOUTOPTIONS_H
