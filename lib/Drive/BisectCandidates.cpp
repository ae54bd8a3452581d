// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates, what is known of them before the search, and their placement.

#include "linesman/Drive/BisectSetup.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

namespace {
/// How much likelier a page is at most for what is known of it. The search
/// keeps a fifth of its belief for the others whatever this says.
constexpr double ScoreWeight = 50, WrittenWeight = 8;
} // namespace

Expected<std::vector<PageCandidate>> findCandidates(StaticPages &Pages,
                                                    StringRef Selector) {
  Expected<std::vector<RunRange>> Ranges = Pages.select(Selector);
  if (!Ranges)
    return Ranges.takeError();
  std::vector<PageCandidate> Result;
  for (RunRange Range : *Ranges)
    for (RunAddress A = Range.Begin; A < Range.End; A.Value += pageSize()) {
      NamedModule *M = Pages.moduleOf(A);
      RunRange Page = {A, {A.Value + pageSize()}};
      Result.push_back(
          {M->Loaded.Path,
           {M->Loaded.Bias.toLink(Page.Begin), M->Loaded.Bias.toLink(Page.End)},
           Pages.symbolsIn(*M, Page)});
    }
  return Result;
}

void weighByScores(MutableArrayRef<PageCandidate> Candidates, StringRef Module,
                   const layout::LineMap &Lines,
                   ArrayRef<layout::LineFinding> Findings) {
  std::vector<double> Scores(Candidates.size());
  double Highest = 0;
  for (auto [C, Score] : zip_equal(Candidates, Scores)) {
    if (C.Module != Module)
      continue;
    for (const layout::LineFinding &F : Findings)
      if (C.Pages.contains(Lines.range(F.Line).Begin))
        Score += F.Points.total();
    Highest = std::max(Highest, Score);
  }
  for (auto [C, Score] : zip_equal(Candidates, Scores))
    if (Score > 0)
      C.Prior *= 1 + (ScoreWeight - 1) * Score / Highest;
}

std::vector<CandidateRange> findWritten(ArrayRef<PageCandidate> Candidates,
                                        StaticPages &Pages,
                                        ArrayRef<RunRange> Written) {
  std::vector<CandidateRange> Result;
  for (auto [Index, C] : enumerate(Candidates)) {
    bool IsWritten = false;
    for (const NamedModule &M : Pages.modules())
      if (M.Loaded.Path == C.Module)
        for (RunRange Range : Written)
          IsWritten |= intersect(Range, {M.Loaded.Bias.toRun(C.Pages.Begin),
                                         M.Loaded.Bias.toRun(C.Pages.End)})
                           .size() != 0;
    if (!IsWritten)
      continue;
    CandidateIndex I = Index;
    if (!Result.empty() && Result.back().End == I)
      ++Result.back().End;
    else
      Result.push_back({I, I + 1});
  }
  return Result;
}

void weighByWrites(MutableArrayRef<PageCandidate> Candidates,
                   ArrayRef<CandidateRange> Written) {
  for (CandidateRange R : Written)
    for (PageCandidate &C : Candidates.slice(R.Begin, R.End - R.Begin))
      C.Prior *= WrittenWeight;
}

std::vector<bool> remoteIn(const WindowRequest &Window, size_t Count) {
  std::vector<bool> Remote(Count);
  for (CandidateRange Range : Window.Remote)
    std::fill(Remote.begin() + Range.Begin, Remote.begin() + Range.End, true);
  return Remote;
}

Error checkReplaced(const BisectConfig &Config,
                    ArrayRef<StaticModule> Modules) {
  if (Config.Replaced.empty() || none_of(Modules, [&](const StaticModule &M) {
        return M.Path == Config.Replaced;
      }))
    return Error::success();
  return createStringError(
      Config.Replaced +
      " is loaded beside the one that should take its place: link it with a "
      "name of its own (-Wl,-soname), and load it by that name");
}

Expected<std::vector<RunRange>> locate(ArrayRef<PageCandidate> Candidates,
                                       ArrayRef<StaticModule> Modules) {
  std::vector<RunRange> Ranges;
  for (const PageCandidate &C : Candidates) {
    auto M = find_if(Modules,
                     [&](const StaticModule &M) { return M.Path == C.Module; });
    if (M == Modules.end())
      return createStringError("the process has no module " + C.Module);
    Ranges.push_back(
        {M->Bias.toRun(C.Pages.Begin), M->Bias.toRun(C.Pages.End)});
  }
  return Ranges;
}

Expected<std::vector<PagePlace>>
placeCandidates(Actuator &Mover, const BisectConfig &Config,
                ArrayRef<RunRange> Ranges, const std::vector<bool> &Remote,
                std::optional<std::vector<bool>> &Last) {
  std::vector<PagePlace> Elsewhere;
  auto Changes = [&](size_t I) { return !Last || (*Last)[I] != Remote[I]; };
  for (size_t I = 0; I != Ranges.size();) {
    // Neighbours with the same goal are one request.
    size_t End = I + 1;
    while (End != Ranges.size() && Remote[End] == Remote[I] &&
           Ranges[End].Begin == Ranges[End - 1].End &&
           Changes(End) == Changes(I))
      ++End;
    if (Changes(I)) {
      int Node = Remote[I] ? Config.RemoteNode : Config.LocalNode;
      Expected<std::vector<PagePlace>> Places = Mover.place(
          {Ranges[I].Begin, Ranges[End - 1].End}, {Placement::Kind::Node, Node},
          Mover.isInside() ? control::Preparation::Prepare
                           : control::Preparation::AsTheyAre);
      if (!Places)
        return Places.takeError();
      // What is not there yet has not been written, and costs nothing.
      for (const PagePlace &Page : *Places)
        if (Page.Node && *Page.Node != Node)
          Elsewhere.push_back(Page);
    }
    I = End;
  }
  Last = Remote;
  return Elsewhere;
}

} // namespace linesman::drive
