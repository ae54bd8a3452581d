// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Start, measure, look where pages are, end; again. The report:
//
//     16 starts: 7 at about 1e+04 (good), 9 at about 4000 (bad)
//     page 0x5000 of store: 4000 on node 1 (9 starts), 1e+04 elsewhere (7
//     starts), p 0.0004
//       on it: nil_root, log_level, +3
//     all local (node 0): 1e+04, as in good starts; all remote (node 1): 4000,
//     as in bad starts

#include "linesman/Drive/BisectStarts.h"
#include "linesman/Bisect/Statistics.h"
#include "linesman/Drive/BisectMeter.h"
#include "linesman/Guard/Head.h"
#include "linesman/Process/Family.h"
#include "linesman/Report/Document.h"
#include "linesman/Report/TextLines.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <poll.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

namespace {

constexpr unsigned PlacedPairs = 4, MostSkips = 5;

/// Neighbours are one range.
std::vector<RunRange> joinNeighbours(ArrayRef<RunRange> Ranges) {
  std::vector<RunRange> Result;
  for (RunRange Range : Ranges)
    if (!Result.empty() && Result.back().End == Range.Begin)
      Result.back().End = Range.End;
    else
      Result.push_back(Range);
  return Result;
}

class Starter {
public:
  Starter(const BisectConfig &Config, const SearchField &Field,
          SearchListener &Listener)
      : Config(Config), Field(Field), Listener(Listener) {}

  /// Nothing for a start whose probe skips it; it is made again.
  Expected<std::optional<Start>> runOnce(std::optional<int> Node) {
    auto Place = [&](ShimClient &Shim) -> Error {
      Expected<std::vector<StaticModule>> Modules = Shim.modules();
      if (!Modules)
        return Modules.takeError();
      Expected<std::vector<RunRange>> Found =
          locate(Field.Candidates, *Modules);
      if (!Found)
        return Found.takeError();
      Ranges = std::move(*Found);
      if (Node)
        for (RunRange Range : joinNeighbours(Ranges))
          if (Error E = Shim.place(Range, {Placement::Kind::Node, *Node},
                                   control::Preparation::Prepare)
                            .takeError())
            return E;
      return Error::success();
    };
    Expected<LiveProcess> Live = startLive(Config, Place);
    if (!Live)
      return Live.takeError();
    // Nobody asks which pages are written.
    consumeError(Live->Watcher.takeError());
    Expected<std::optional<Start>> Result = measure(*Live);
    Live->Started.reset();
    endProcesses(readDescendants({::getpid()}));
    return Result;
  }

  Expected<Start> run(StringRef Subject, std::optional<int> Node) {
    for (unsigned Skips = 0; Skips != MostSkips; ++Skips) {
      Expected<std::optional<Start>> One = runOnce(Node);
      if (!One)
        return One.takeError();
      if (!*One)
        continue;
      Listener.window(
          formatv("start {0}{1}: {2}", ++Number, Subject, (*One)->Value).str());
      return std::move(**One);
    }
    return createStringError(formatv("{0} starts were skipped one after the "
                                     "other",
                                     MostSkips));
  }

private:
  const BisectConfig &Config;
  const SearchField &Field;
  SearchListener &Listener;
  unsigned Number = 0;
  std::vector<RunRange> Ranges;

  Expected<std::optional<Start>> measure(const LiveProcess &Live) {
    LiveMeter Meter(Config, Live);
    Expected<WindowOutcome> Outcome = Meter.measure();
    if (!Outcome)
      return Outcome.takeError();
    if (Outcome->State != WindowState::Measured)
      return std::nullopt;
    Start Result{Outcome->Value, {}};
    for (RunRange Range : joinNeighbours(Ranges)) {
      Expected<std::vector<PagePlace>> Pages = Live.Outside->query(Range);
      if (!Pages)
        return Pages.takeError();
      // The page cache's page belongs to all starts.
      for (const PagePlace &Page : *Pages)
        Result.Nodes.push_back(Page.State == PageState::File ? -1
                               : Page.Node                   ? *Page.Node
                                                             : -1);
    }
    if (Result.Nodes.size() != Ranges.size())
      return createStringError("the process has other pages than at its start");
    return Result;
  }
};

bool isGood(double Value, const Clusters &Levels, Better Direction) {
  bool IsHigh =
      std::abs(Value - Levels.HighLevel) < std::abs(Value - Levels.LowLevel);
  return IsHigh == (Direction == Better::Higher);
}

StringRef outcomeOf(const StartsReport &Report) {
  if (Report.IsStopped)
    return "stopped";
  if (!Report.Compared.Groups.empty())
    return "found";
  if (!Report.Compared.Levels)
    return "no-difference";
  return Report.Compared.Varied ? "cannot-tell" : "not-placement";
}

std::string nodeName(int Node) {
  return Node < 0 ? "not written" : formatv("on node {0}", Node).str();
}

void writeGroup(const StartGroup &Group, const SearchField &Field,
                raw_ostream &OS) {
  const PageCandidate &First = Field.Candidates[Group.Members.front()];
  OS << formatv("page {0:x} of {1}: {2} {3} ({4}), {5} elsewhere "
                "({6}), p {7}\n",
                First.Pages.Begin.Value, sys::path::filename(First.Module),
                report::measurementText(Group.MedianOn), nodeName(Group.Node),
                report::plural(Group.StartsOn, "start"),
                report::measurementText(Group.MedianOff),
                report::plural(Group.StartsOff, "start"),
                report::probabilityText(Group.P));
  OS << "  on it: "
     << (First.Symbols.empty() ? "no symbols" : shorten(First.Symbols)) << '\n';
  if (Group.Members.size() == 1)
    return;
  std::vector<std::string> Others;
  for (CandidateIndex I : ArrayRef(Group.Members).drop_front())
    Others.push_back(formatv("page {0:x} of {1}",
                             Field.Candidates[I].Pages.Begin.Value,
                             sys::path::filename(Field.Candidates[I].Module)));
  OS << "  always together with it, and as likely: " << shorten(Others) << '\n';
}

/// Whether "all local" is the good state.
void writePlaced(const StartsReport &Report, const BisectConfig &Config,
                 raw_ostream &OS) {
  if (Report.Local.empty() || Report.Remote.empty())
    return;
  const double Local = median(Report.Local), Remote = median(Report.Remote);
  auto Like = [&](double Value) -> StringRef {
    if (!Report.Compared.Levels)
      return "";
    return isGood(Value, *Report.Compared.Levels, Config.Direction)
               ? ", as in good starts"
               : ", as in bad starts";
  };
  OS << formatv("all local (node {0}): {1}{2}; all remote (node {3}): {4}{5}\n",
                Config.LocalNode, report::measurementText(Local), Like(Local),
                Config.RemoteNode, report::measurementText(Remote),
                Like(Remote));
  if (!Report.Compared.Levels)
    return;
  const bool IsLocalGood =
      isGood(Local, *Report.Compared.Levels, Config.Direction);
  if (IsLocalGood == isGood(Remote, *Report.Compared.Levels, Config.Direction))
    OS << "  the two do not differ as starts do: something else than the "
          "placement of these pages, or not all of it, makes a start bad\n";
  else if (!IsLocalGood)
    OS << formatv("  all local is the bad state: search with --local={0} "
                  "--remote={1}\n",
                  Config.RemoteNode, Config.LocalNode);
}

} // namespace

Expected<StartsReport> runStarts(const BisectConfig &Config,
                                 const SearchField &Field, unsigned Count,
                                 SearchListener &Listener) {
  StartsReport Report;
  Starter Run(Config, Field, Listener);
  std::vector<Start> Starts;
  auto Add = [&](StringRef Subject, std::optional<int> Node,
                 std::vector<double> &Values) -> Expected<bool> {
    Expected<Start> One = Run.run(Subject, Node);
    if (!One) {
      Error E = One.takeError();
      pollfd File = {Config.Interrupt, POLLIN, 0};
      if (!E.isA<Interrupted>() && ::poll(&File, 1, 0) <= 0)
        return std::move(E);
      consumeError(std::move(E));
      Report.IsStopped = true;
      return false;
    }
    Values.push_back(One->Value);
    if (!Node)
      Starts.push_back(std::move(*One));
    return true;
  };
  // In the order ABBA, so that a steady drift adds the same to both.
  for (unsigned I = 0; I != Count + 2 * PlacedPairs; ++I) {
    const unsigned Turn = I - Count;
    const bool IsLocal = Turn % 4 == 0 || Turn % 4 == 3;
    Expected<bool> Goes =
        I < Count ? Add("", std::nullopt, Report.Values)
        : IsLocal ? Add(", all local", Config.LocalNode, Report.Local)
                  : Add(", all remote", Config.RemoteNode, Report.Remote);
    if (!Goes)
      return Goes.takeError();
    if (!*Goes)
      break;
  }
  if (Starts.size() >= LeastStarts)
    Report.Compared = compareStarts(Starts);
  return Report;
}

void writeStartsText(const StartsReport &Report, const SearchField &Field,
                     const BisectConfig &Config, raw_ostream &OS) {
  const StartComparison &C = Report.Compared;
  OS << formatv("{0}{1}", report::plural(Report.Values.size(), "start"),
                Report.IsStopped ? " until it was stopped" : "");
  if (C.Levels) {
    const bool IsHigherGood = Config.Direction == Better::Higher;
    OS << formatv(": {0} at about {1} ({2}), {3} at about {4} ({5})",
                  C.Levels->LowCount,
                  report::measurementText(C.Levels->LowLevel),
                  IsHigherGood ? "bad" : "good", C.Levels->HighCount,
                  report::measurementText(C.Levels->HighLevel),
                  IsHigherGood ? "good" : "bad");
  } else if (!Report.Values.empty()) {
    OS << formatv(", all at one level: median {0}",
                  report::measurementText(median(Report.Values)));
  }
  OS << '\n';
  for (const StartGroup &Group : C.Groups)
    writeGroup(Group, Field, OS);
  if (Report.Values.size() < LeastStarts)
    OS << formatv("stopped: {0} starts are the fewest that can be compared\n",
                  LeastStarts);
  else if (!C.Groups.empty())
    OS << "  seen together, not proven: a search without --starts moves the "
          "pages\n";
  else if (!C.Varied)
    OS << "every page was on the same node in all starts: where these pages "
          "are does not make starts differ\n";
  else if (C.Levels)
    OS << formatv("no page's place goes with it, of {0} that were not always "
                  "on one node; more starts would tell more\n",
                  C.Varied);
  if (C.Same && C.Varied)
    OS << formatv("{0} of {1} pages were on the same node in all starts\n",
                  C.Same, C.Same + C.Varied);
  writePlaced(Report, Config, OS);
}

void writeStartsJson(const StartsReport &Report, const SearchField &Field,
                     raw_ostream &OS) {
  json::OStream Json(OS, 2);
  auto Numbers = [&](StringRef Key, ArrayRef<double> Values) {
    Json.attributeArray(Key, [&] {
      for (double Value : Values)
        Json.value(Value);
    });
  };
  Json.object([&] {
    guard::writeHead("bisect", Json);
    Json.attribute("binary", json::fixUTF8(Field.Program));
    Json.attribute("outcome", outcomeOf(Report));
    Json.attributeObject("starts", [&] {
      Numbers("as_they_came", Report.Values);
      Numbers("all_local", Report.Local);
      Numbers("all_remote", Report.Remote);
    });
    Json.attributeArray("groups", [&] {
      for (const StartGroup &Group : Report.Compared.Groups)
        Json.object([&] {
          Json.attribute("node", Group.Node);
          Json.attribute("on", Group.StartsOn);
          Json.attribute("off", Group.StartsOff);
          Json.attribute("median_on", Group.MedianOn);
          Json.attribute("median_off", Group.MedianOff);
          Json.attribute("p", Group.P);
          Json.attributeArray("pages", [&] {
            for (CandidateIndex I : Group.Members)
              Json.object([&] {
                const PageCandidate &C = Field.Candidates[I];
                Json.attribute("module", json::fixUTF8(C.Module));
                Json.attribute("address",
                               formatv("{0:x}", C.Pages.Begin.Value).str());
              });
          });
        });
    });
    Json.attributeArray("notes", [] {});
    Json.attributeArray("findings", [] {});
  });
  OS << '\n';
}

} // namespace linesman::drive
