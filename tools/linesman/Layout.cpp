// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman layout BINARY: read, map, find, select, print.

#include "Commands.h"
#include "Deliver.h"
#include "SharedOptions.h"
#include "Waiting.h"
#include "linesman/Drive/LayoutFilter.h"
#include "linesman/Drive/LayoutGate.h"
#include "linesman/Drive/LayoutNotes.h"
#include "linesman/Drive/ReportDetails.h"
#include "linesman/Drive/WeighAccesses.h"
#include "linesman/Input/Debuginfod.h"
#include "linesman/Input/Ranking.h"
#include "linesman/Input/ReadBinary.h"
#include "linesman/Input/TypeLayouts.h"
#include "linesman/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::layout;

namespace linesman::tool {

namespace {

constexpr uint64_t LargestAlignment = uint64_t(1) << 30;
constexpr unsigned DefaultTop = 10;

struct Options {
  cl::SubCommand Command{"layout", "Lines and pages of a binary"};
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
  Flag Guesses{
      Command, "guesses",
      "Also lines where nothing says that threads meet, behind all others"};
  Flag All{Command, "all", "List every line, also without facts"};
  DeliveryOptions To{Command, Format::Text, FindingsFormatOption::Page::Drawn};
};

Error checkOptions(const Options &Opts) {
  std::string Problem;
  if (!Opts.Filter.empty() && !Regex(Opts.Filter).isValid(Problem))
    return createStringError("--filter=" + Opts.Filter + ": " + Problem);
  if (Opts.Types && (Opts.All || !Opts.Samples.empty()))
    return createStringError("--types goes neither with --all nor with "
                             "--samples");
  if (Error E = Opts.To.check())
    return E;
  return joinErrors(Opts.Line.check(),
                    joinErrors(Opts.Page.check(),
                               checkPowerOfTwo("heap-align", Opts.HeapAlignment,
                                               1, LargestAlignment)));
}

input::ReadOptions readOptions(const Options &Opts) {
  input::ReadOptions Read;
  Read.Facts = Opts.Facts;
  Read.Types = Opts.Types ? input::TypeFacts::Read : input::TypeFacts::Skip;
  Read.Unlinked = input::Objects::Read;
  Read.Debug.File = Opts.DebugFile;
  Read.Debug.Folders.insert(Read.Debug.Folders.begin(),
                            Opts.DebugFolders.begin(), Opts.DebugFolders.end());
  return Read;
}

Weights weights(const Options &Opts) {
  return {{Opts.ThreadEntries.begin(), Opts.ThreadEntries.end()}, Opts.Samples};
}

uint64_t mostShown(const Options &Opts, uint64_t All) {
  return Opts.Top.getNumOccurrences() ? Opts.Top : mostShown(Opts.To.As, All);
}

/// \p Highest is the rung that findings of this kind are on; \p All has those
/// that \p Report hides, too, where it is asked for.
int writeReport(const Options &Opts, report::LayoutReport &Report,
                const report::LayoutReport &All, bool IsEmpty, Rung Highest) {
  Findings Found;
  Found.Text = [&](const report::Comparison *Against, raw_ostream &OS) {
    Report.Columns = textColumns(Opts.To.Output);
    Report.Against = Against;
    report::writeText(Report, OS);
  };
  Found.Json = [&](const report::Comparison *Against, raw_ostream &OS) {
    Report.Against = Against;
    report::writeJson(Report, OS);
  };
  Found.Html = [&](StringRef Json, raw_ostream &OS) {
    return report::writeHtml(Report, Json, OS);
  };
  Found.Whole = [&](raw_ostream &OS) { report::writeJson(All, OS); };
  if (!IsEmpty)
    Found.Highest = Highest;
  Expected<int> Code = Opts.To.deliver(Found);
  return Code ? *Code : fail(Code.takeError());
}

int layOutTypes(const Options &Opts, input::Binary &Binary,
                std::vector<std::string> Notes) {
  std::vector<std::string> Conflicts = std::move(Binary.Types.Conflicts);
  auto Layouts = input::readTypeLayouts(Binary, Binary.Types.Types);
  TypeScene Scene =
      buildTypeScene(std::move(Binary.Types), std::move(Layouts), Binary.Calls,
                     {Opts.Line, Opts.HeapAlignment});
  append_range(Notes, describeTypeGaps(Scene, Conflicts));
  if (Error E = weighAccesses(Binary, weights(Opts), Scene.Accesses, Notes))
    return fail(std::move(E));
  LineMap Lines(Scene.Image, {Opts.Line});
  PageMap Pages(Scene.Image, {Opts.Page});
  std::vector<TypeFinding> All = findTypeHazards(Scene, Lines);
  if (!Opts.Filter.empty()) {
    LayoutFilter Filter(Opts.Filter);
    Filter.keep(Scene, All);
    if (Opts.To.Fails.getNumOccurrences())
      if (Error E =
              Filter.checkKnown(Opts.Binary, Scene.Image, "field of a type"))
        return fail(std::move(E));
  }
  uint64_t Most = mostShown(Opts, All.size());
  ArrayRef<TypeFinding> Shown = ArrayRef(All).take_front(Most);
  std::vector<LineFinding> AllLines;
  for (const TypeFinding &F : All)
    AllLines.push_back(F.Line);
  ArrayRef<LineFinding> Findings = ArrayRef(AllLines).take_front(Most);
  report::LayoutReport Report{Opts.Binary,
                              Scene.Image,
                              Scene.Accesses,
                              Lines,
                              Pages,
                              Findings,
                              All.size() - Shown.size(),
                              Notes};
  Report.Types = &Scene;
  Report.OfTypes = Shown;
  for (const TypeFinding &F : All)
    Report.TotalScore += F.score();
  report::LayoutReport Whole = Report;
  Whole.Findings = AllLines;
  Whole.OfTypes = All;
  // Whether threads meet on one object is not known before it is watched.
  return writeReport(Opts, Report, Whole, All.empty(), Rung::Suspected);
}

double totalScore(ArrayRef<RankedLine> Ranked) {
  double Sum = 0;
  for (const RankedLine &R : Ranked)
    Sum += R.Points.total();
  return Sum;
}

} // namespace

Error printLayout(StringRef Path, raw_ostream &OS) {
  Expected<input::Binary> Binary = readWaiting(Path);
  if (!Binary)
    return Binary.takeError();
  std::vector<LineFinding> Findings = input::rankLines(*Binary);
  return reportLines(
      {Path, *Binary, {}, Findings}, DefaultTop,
      [&](const report::LayoutReport &Report) {
        report::writeText(Report, OS);
        return Error::success();
      },
      warn);
}

int runLayout(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args, "linesman layout: what shares a cache line\n"))
    return Failure;
  if (Error E = checkOptions(Opts))
    return fail(std::move(E));
  // Damaged debug information costs names, not the report.
  CrashRecoveryContext::Enable();

  input::ReadOptions Read = readOptions(Opts);
  std::string Fetching =
      askDebuginfod(Opts.Binary,
                    Opts.Debuginfod.getNumOccurrences()
                        ? Opts.Debuginfod
                        : sys::Process::GetEnv("DEBUGINFOD_URLS").value_or(""),
                    Read.Debug);
  std::optional<Waiting> Shown(std::in_place, "reading " + Opts.Binary);
  Expected<input::Binary> Binary = input::readBinary(Opts.Binary, Read);
  Shown.reset();
  if (!Binary)
    return fail(Binary.takeError());
  if (Opts.To.Fails.getNumOccurrences())
    if (Error E = checkGate(Opts.Binary, *Binary,
                            Opts.Types ? Judged::Types : Judged::Lines,
                            Opts.To.Fails))
      return fail(std::move(E));
  std::vector<std::string> Notes = describeGaps(*Binary);
  if (!Fetching.empty())
    Notes.push_back(Fetching);
  if (Opts.Types)
    return layOutTypes(Opts, *Binary, std::move(Notes));
  if (Error E = weighAccesses(*Binary, weights(Opts), Binary->Accesses, Notes))
    return fail(std::move(E));
  const Image &Image = Binary->Image;
  LineMap Lines(Image, {Opts.Line});
  PageMap Pages(Image, {Opts.Page});
  std::vector<RankedLine> Ranked = rankHazards(Image, Lines, Binary->Accesses);
  if (!Opts.Filter.empty()) {
    LayoutFilter Filter(Opts.Filter);
    Filter.keep(Image, Lines, Ranked);
    if (Opts.To.Fails.getNumOccurrences())
      if (Error E = Filter.checkKnown(Opts.Binary, Image, "variable"))
        return fail(std::move(E));
  }
  uint64_t Unsigned = Opts.Guesses ? 0 : dropUnsigned(Ranked);
  if (Unsigned)
    Notes.push_back(describeUnsigned(Unsigned));

  uint64_t Most = mostShown(Opts, Ranked.size());
  std::vector<LineFinding> Described = describeHazards(
      Image, Lines, Binary->Accesses,
      ArrayRef(Ranked).take_front(Opts.To.wantsAll() ? Ranked.size() : Most));
  // Those with a sign of threads come first.
  const Rung Highest =
      Binary->Unlinked ||
              (!Ranked.empty() && Ranked.front().Meeting == Sign::None)
          ? Rung::Suspected
          : Rung::Located;
  for (LineFinding &Finding : Described)
    Finding.At = std::min(Finding.At, Highest);
  ArrayRef<LineFinding> Findings = ArrayRef(Described).take_front(Most);
  ReportDetails Details(*Binary, Findings, Notes, warn);
  report::LayoutReport Report{Opts.Binary,
                              Image,
                              Binary->Accesses,
                              Lines,
                              Pages,
                              Findings,
                              Ranked.size() - Findings.size(),
                              Notes};
  if (Opts.All)
    Report.List = report::LineList::All;
  else if (Binary->Accesses.empty() && Opts.To.As == Format::Text)
    Report.List = report::LineList::First;
  Report.FirstLines = Opts.Top.getNumOccurrences() ? Opts.Top : DefaultTop;

  Report.Unsigned = Unsigned;
  Details.answer(Report);
  Report.TotalScore = totalScore(Ranked);
  // A binary alone shows where things are: no finding is on another rung.
  report::LayoutReport Whole = Report;
  Whole.Findings = Described;
  return writeReport(Opts, Report, Whole, Ranked.empty(), Highest);
}

} // namespace linesman::tool
