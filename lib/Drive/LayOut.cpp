// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/LayOut.h"
#include "linesman/Drive/LayoutFilter.h"
#include "linesman/Drive/LayoutNotes.h"
#include "linesman/Input/TypeLayouts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

namespace {

/// Leaves the findings that the request is about. What is not there at all
/// fails a gate, and blinds a report that is for a later one.
template <typename Scene, typename... Found>
Error filter(const LayoutRequest &Request, const Image &Image, StringRef Noun,
             std::string &Blind, const Scene &Around, Found &&...Findings) {
  if (Request.Filter.empty())
    return Error::success();
  LayoutFilter Filter(Request.Filter);
  Filter.keep(Around, Findings...);
  std::string Reason = Filter.whyBlind(Image, Noun);
  if (!Reason.empty() && Request.IsGate)
    return createFileError(Request.Path, createStringError(Reason));
  if (Blind.empty())
    Blind = std::move(Reason);
  return Error::success();
}

Error layOutLines(input::Binary &Binary, const LayoutRequest &Request,
                  std::vector<std::string> Notes,
                  function_ref<Error(LaidOut &)> Use) {
  if (Error E = weighAccesses(Binary, Request.Threads, Binary.Accesses, Notes))
    return E;
  LineMap Lines(Binary.Image, Request.Line);
  PageMap Pages(Binary.Image, Request.Page);
  std::vector<RankedLine> Ranked =
      rankHazards(Binary.Image, Lines, Binary.Accesses);
  std::string Blind = whyBlind(Binary, Judged::Lines);
  if (Error E = filter(Request, Binary.Image, "variable", Blind, Binary.Image,
                       Lines, Ranked))
    return E;
  report::LinkedScene Scene;
  if (Request.Unsigned == Guesses::LeftOut)
    Scene.Guessed = dropGuesses(Ranked);
  append_range(Notes, describeGuesses(Scene.Guessed));

  std::vector<LineFinding> All = describeHazards(
      Binary.Image, Lines, Binary.Accesses,
      ArrayRef(Ranked).take_front(Request.NeedsWhole ? Ranked.size()
                                                     : Request.MostShown));
  // Those with a sign of threads come first.
  const Rung Highest =
      Binary.Unlinked || (!Ranked.empty() && isGuess(Ranked.front().Meeting))
          ? Rung::Suspected
          : Rung::Located;
  for (LineFinding &Finding : All)
    Finding.Reached = std::min(Finding.Reached, Highest);
  ArrayRef<LineFinding> Shown = ArrayRef(All).take_front(Request.MostShown);
  std::optional<ReportDetails> Details;
  if (Request.Warn)
    Details.emplace(Binary, Shown, Notes, Request.Warn);
  report::LayoutReport Report{Request.Path,
                              Binary.Image,
                              Binary.Accesses,
                              Lines,
                              Pages,
                              Shown,
                              Ranked.size() - Shown.size(),
                              Notes};
  const std::string Doubt = describeDoubt(Binary);
  Report.Doubt = Doubt;
  Report.Blind = std::move(Blind);
  Report.Reach = highestRung(Binary, Judged::Lines);
  Report.Scene = Scene;
  if (Request.List == report::LineList::All || Binary.Accesses.empty())
    Report.List = Request.List;
  Report.FirstLines = Request.FirstLines;
  if (Details)
    Details->answer(Report);
  for (const RankedLine &R : Ranked)
    Report.TotalScore += R.Points.total();
  LaidOut Result{Report, Report, std::nullopt};
  Result.Whole.Findings = All;
  if (!Ranked.empty())
    Result.Highest = Highest;
  return Use(Result);
}

Error layOutTypes(input::Binary &Binary, const LayoutRequest &Request,
                  std::vector<std::string> Notes,
                  function_ref<Error(LaidOut &)> Use) {
  std::string Blind = whyBlind(Binary, Judged::Types);
  std::vector<std::string> Conflicts = std::move(Binary.Types.Conflicts);
  auto Layouts = input::readTypeLayouts(Binary, Binary.Types.Types);
  TypeScene Scene =
      buildTypeScene(std::move(Binary.Types), std::move(Layouts), Binary.Calls,
                     {Request.Line.Bytes, Request.HeapAlignment});
  append_range(Notes, describeTypeGaps(Binary, Scene, Conflicts));
  if (Error E = weighAccesses(Binary, Request.Threads, Scene.Accesses, Notes))
    return E;
  LineMap Lines(Scene.Image, Request.Line);
  PageMap Pages(Scene.Image, Request.Page);
  std::vector<LineFinding> All = findTypeHazards(Scene, Lines);
  if (Error E =
          filter(Request, Scene.Image, "field of a type", Blind, Scene, All))
    return E;
  ArrayRef<LineFinding> Shown = ArrayRef(All).take_front(Request.MostShown);
  // Of sites in machine code only; members are the types' own.
  std::optional<ReportDetails> Details;
  if (Request.Warn)
    Details.emplace(Binary, ArrayRef<LineFinding>(), Notes, Request.Warn);
  report::LayoutReport Report{Request.Path,
                              Scene.Image,
                              Scene.Accesses,
                              Lines,
                              Pages,
                              Shown,
                              All.size() - Shown.size(),
                              Notes};
  const std::string Doubt = describeDoubt(Binary);
  Report.Doubt = Doubt;
  Report.Blind = std::move(Blind);
  Report.Reach = highestRung(Binary, Judged::Types);
  Report.Scene = report::ObjectScene{&Scene};
  if (Details)
    Details->answer(Report);
  for (const LineFinding &F : All)
    Report.TotalScore += F.score();
  LaidOut Result{Report, Report, std::nullopt};
  Result.Whole.Findings = All;
  // Whether threads meet on one object is not known before it is watched.
  if (!All.empty())
    Result.Highest = Rung::Suspected;
  return Use(Result);
}

} // namespace

Error layOut(input::Binary &Binary, const LayoutRequest &Request,
             std::vector<std::string> Notes,
             function_ref<Error(LaidOut &)> Use) {
  switch (Request.Subject) {
  case Judged::Lines:
    return layOutLines(Binary, Request, std::move(Notes), Use);
  case Judged::Types:
    return layOutTypes(Binary, Request, std::move(Notes), Use);
  }
  llvm_unreachable("unknown subject");
}

std::vector<LineFinding> leaveUnaccepted(const report::Comparison &Changes,
                                         LaidOut &Layout) {
  std::vector<LineFinding> Result;
  copy_if(Layout.Whole.Findings, std::back_inserter(Result),
          [&](const LineFinding &F) { return Changes.Unaccepted.count(F.Id); });
  report::LayoutReport &Report = Layout.Shown;
  Report.Accepted = Layout.Whole.Findings.size() - Result.size();
  Report.Hidden = 0;
  Report.List = report::LineList::None;
  if (size_t Most = Report.Findings.size(); Most < Result.size()) {
    Report.Hidden = Result.size() - Most;
    Result.resize(Most);
  }
  Report.Findings = Result;
  return Result;
}

} // namespace linesman::drive
