// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman layout BINARY: read, map, find, select, print.

#include "Commands.h"
#include "LayoutOptions.h"
#include "Waiting.h"
#include "linesman/Drive/LayoutFilter.h"
#include "linesman/Drive/LayoutGate.h"
#include "linesman/Drive/LayoutNotes.h"
#include "linesman/Drive/ReportDetails.h"
#include "linesman/Input/Debuginfod.h"
#include "linesman/Input/Ranking.h"
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

Error checkOptions(const LayoutOptions &Opts) {
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

input::ReadOptions readOptions(const LayoutOptions &Opts) {
  input::ReadOptions Read;
  Read.Facts = Opts.Facts;
  Read.Types = Opts.Types ? input::TypeFacts::Read : input::TypeFacts::Skip;
  Read.Unlinked = input::Objects::Read;
  Read.Debug.File = Opts.DebugFile;
  Read.Debug.Folders.insert(Read.Debug.Folders.begin(),
                            Opts.DebugFolders.begin(), Opts.DebugFolders.end());
  return Read;
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
  LayoutOptions Opts;
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

  Report.Scene = report::LinkedScene{Unsigned};
  Details.answer(Report);
  Report.TotalScore = totalScore(Ranked);
  // A binary alone shows where things are: no finding is on another rung.
  report::LayoutReport Whole = Report;
  Whole.Findings = Described;
  return writeReport(Opts, Report, Whole, Ranked.empty(), Highest);
}

} // namespace linesman::tool
