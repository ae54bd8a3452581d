// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman layout --types BINARY, and the end that both reports have.

#include "Commands.h"
#include "LayoutOptions.h"
#include "linesman/Drive/LayoutFilter.h"
#include "linesman/Drive/LayoutNotes.h"
#include "linesman/Input/TypeLayouts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::layout;

namespace linesman::tool {

Weights weights(const LayoutOptions &Opts) {
  return {{Opts.ThreadEntries.begin(), Opts.ThreadEntries.end()}, Opts.Samples};
}

uint64_t mostShown(const LayoutOptions &Opts, uint64_t All) {
  return Opts.Top.getNumOccurrences() ? Opts.Top : mostShown(Opts.To.As, All);
}

int writeReport(const LayoutOptions &Opts, report::LayoutReport &Report,
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

int layOutTypes(const LayoutOptions &Opts, input::Binary &Binary,
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
  std::vector<LineFinding> All = findTypeHazards(Scene, Lines);
  if (!Opts.Filter.empty()) {
    LayoutFilter Filter(Opts.Filter);
    Filter.keep(Scene, All);
    if (Opts.To.Fails.getNumOccurrences())
      if (Error E =
              Filter.checkKnown(Opts.Binary, Scene.Image, "field of a type"))
        return fail(std::move(E));
  }
  uint64_t Most = mostShown(Opts, All.size());
  ArrayRef<LineFinding> Shown = ArrayRef(All).take_front(Most);
  report::LayoutReport Report{Opts.Binary,
                              Scene.Image,
                              Scene.Accesses,
                              Lines,
                              Pages,
                              Shown,
                              All.size() - Shown.size(),
                              Notes};
  Report.Scene = report::ObjectScene{&Scene};
  for (const LineFinding &F : All)
    Report.TotalScore += F.score();
  report::LayoutReport Whole = Report;
  Whole.Findings = All;
  // Whether threads meet on one object is not known before it is watched.
  return writeReport(Opts, Report, Whole, All.empty(), Rung::Suspected);
}

} // namespace linesman::tool
