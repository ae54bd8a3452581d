// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman layout BINARY: read, lay out, print.

#include "linesman/Drive/LayOut.h"
#include "Commands.h"
#include "Deliver.h"
#include "SharedOptions.h"
#include "linesman/Drive/LayoutNotes.h"
#include "linesman/Guard/Document.h"
#include "linesman/Input/Debuginfod.h"
#include "terminal/Waiting.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::layout;

namespace linesman::tool {

namespace {

constexpr uint64_t LargestAlignment = uint64_t(1) << 30;
constexpr unsigned DefaultTop = 10;

struct LayoutOptions {
  llvm::cl::SubCommand Command{"layout"};
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
  DeliveryOptions Delivery{Command, Format::Text,
                           FindingsFormatOption::Also::Page};
};

Error checkOptions(const LayoutOptions &Opts) {
  if (Error E = checkRegex("filter", Opts.Filter))
    return E;
  if (Opts.Types && (Opts.All || !Opts.Samples.empty()))
    return createStringError("--types goes neither with --all nor with "
                             "--samples");
  if (Error E = Opts.Delivery.check())
    return E;
  return joinErrors(Opts.Line.check(),
                    joinErrors(Opts.Page.check(),
                               checkPowerOfTwo("heap-align", Opts.HeapAlignment,
                                               1, LargestAlignment)));
}

input::ReadOptions readOptions(const LayoutOptions &Opts) {
  input::ReadOptions Read;
  Read.Facts = Opts.Facts;
  Read.Types = Opts.Types ? input::TypeFacts::Read : input::TypeFacts::Skip;
  if (!Opts.ThreadEntries.empty() || Opts.Samples.getNumOccurrences())
    Read.DeadCode = input::Unreached::Read;
  // A gate may read the JSON later.
  Read.CountsUnspoken = Opts.Delivery.Fails.getNumOccurrences() ||
                        Opts.Delivery.Form == Format::Json;
  Read.Unlinked = input::Objects::Read;
  Read.Debug.File = Opts.DebugFile;
  Read.Debug.Folders.insert(Read.Debug.Folders.begin(),
                            Opts.DebugFolders.begin(), Opts.DebugFolders.end());
  return Read;
}

LayoutRequest layoutRequest(const LayoutOptions &Opts) {
  LayoutRequest Request;
  Request.Path = Opts.Binary;
  Request.Subject = Opts.Types ? Judged::Types : Judged::Lines;
  Request.Line = {Opts.Line};
  Request.Page = {Opts.Page};
  Request.HeapAlignment = Opts.HeapAlignment;
  Request.Threads = {{Opts.ThreadEntries.begin(), Opts.ThreadEntries.end()},
                     Opts.Samples};
  Request.Filter = Opts.Filter;
  Request.IsGate = Opts.Delivery.Fails.getNumOccurrences();
  Request.Unsigned = Opts.Guesses ? Guesses::Listed : Guesses::LeftOut;
  Request.MostShown = Opts.Top.getNumOccurrences()
                          ? Opts.Top
                          : report::mostShown(Opts.Delivery.Form, UINT64_MAX);
  Request.NeedsWhole = Opts.Delivery.request().wantsAll();
  if (Opts.All)
    Request.List = report::LineList::All;
  else if (Opts.Delivery.Form == Format::Text)
    Request.List = report::LineList::First;
  Request.FirstLines = Opts.Top.getNumOccurrences() ? Opts.Top : DefaultTop;
  Request.Warn = warn;
  return Request;
}

/// The binary, or a folder of objects. \p Fetching gets why its debug file did
/// not come from a server.
Expected<input::Binary> readSubject(const LayoutOptions &Opts,
                                    std::string &Fetching) {
  input::ReadOptions Read = readOptions(Opts);
  std::unique_ptr<MemoryBuffer> File;
  if (!sys::fs::is_directory(Opts.Binary)) {
    if (Error E = guard::mapFile(Opts.Binary).moveInto(File))
      return std::move(E);
    std::string Servers =
        Opts.Debuginfod.getNumOccurrences()
            ? std::string(Opts.Debuginfod)
            : sys::Process::GetEnv("DEBUGINFOD_URLS").value_or("");
    Fetching = askDebuginfod(*File, Servers, Read.Debug);
  }
  terminal::Waiting Shown("reading " + Opts.Binary);
  return File ? input::readBinary(std::move(File), Read)
              : input::readBinary(Opts.Binary, Read);
}

Expected<int> deliver(const DeliveryOptions &Delivery, LaidOut &Layout) {
  report::LayoutReport &Report = Layout.Shown;
  report::Findings Found;
  Found.Text = [&](const report::Comparison *Changes, raw_ostream &OS) {
    Report.Columns = textColumns(Delivery.Output);
    Report.Changes = Changes;
    std::vector<LineFinding> Unaccepted;
    if (Changes)
      Unaccepted = leaveUnaccepted(*Changes, Layout);
    report::writeText(Report, OS);
  };
  Found.Json = [&](const report::Comparison *Changes, raw_ostream &OS) {
    Report.Changes = Changes;
    report::writeJson(Report, OS);
  };
  Found.Html = [&](StringRef Json, raw_ostream &OS) {
    return report::writeHtml(Report, Json, OS);
  };
  Found.Whole = [&](raw_ostream &OS) { report::writeJson(Layout.Whole, OS); };
  Found.Highest = Layout.Highest;
  return Delivery.deliver(Found);
}

} // namespace

Expected<int> runLayout(Arguments Args) {
  LayoutOptions Opts;
  if (Error E = parseOptions(Args))
    return std::move(E);
  if (Error E = checkOptions(Opts))
    return std::move(E);
  // Damaged debug information costs names, not the report.
  CrashRecoveryContext::Enable();

  std::string Fetching;
  Expected<input::Binary> Binary = readSubject(Opts, Fetching);
  if (!Binary)
    return Binary.takeError();
  const LayoutRequest Request = layoutRequest(Opts);
  if (Request.IsGate)
    if (Error E = checkGate(Opts.Binary, *Binary, Request.Subject,
                            Opts.Delivery.Fails))
      return std::move(E);
  std::vector<std::string> Notes = describeGaps(*Binary);
  if (!Fetching.empty())
    Notes.push_back(Fetching);
  int Code = Success;
  if (Error E =
          layOut(*Binary, Request, std::move(Notes), [&](LaidOut &Layout) {
            return deliver(Opts.Delivery, Layout).moveInto(Code);
          }))
    return std::move(E);
  return Code;
}

} // namespace linesman::tool
