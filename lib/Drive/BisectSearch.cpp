// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Priors, log, oracle, search.

#include "linesman/Drive/BisectSearch.h"
#include "linesman/Control/WriteWatch.h"
#include "linesman/Drive/BisectLog.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <poll.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

namespace {

/// What a log must agree with to be resumed.
std::string identityOf(const BisectConfig &Config,
                       ArrayRef<PageCandidate> Candidates) {
  std::string Text = join(Config.Command, "\n");
  Text += formatv("\n{0} {1} {2} {3} {4} {5} {6}", int(Config.Metric),
                  Config.Match, Config.LiveMatches, Config.Probe,
                  Config.LocalNode, Config.RemoteNode, Config.Attach.Value);
  for (const PageCandidate &C : Candidates)
    Text += formatv("\n{0} {1} {2}", C.Module, C.Pages.Begin.Value, C.Prior);
  return utohexstr(xxh3_64bits(Text), /*LowerCase=*/true);
}

/// Tells of each window.
class WindowLines : public bisect::Progress {
public:
  WindowLines(SearchListener &Listener, ArrayRef<PageCandidate> Candidates)
      : Listener(Listener), Candidates(Candidates) {}

  void next(const WindowRequest &Window, const WindowCounts &Before,
            Guess Best) override {
    static constexpr StringLiteral Words[] = {"calibrating", "searching",
                                              "confirming", "all memory"};
    std::string Text = formatv("window {0}: {1}", Before.total() + 1,
                               Words[size_t(Window.Purpose)]);
    if (Window.Purpose != Stage::Calibrate && Best.Probability > 0)
      Text += formatv(", best {0:x} ({1})",
                      Candidates[Best.Candidate].Pages.Begin.Value,
                      report::probabilityText(Best.Probability));
    Listener.window(Text);
  }

private:
  SearchListener &Listener;
  ArrayRef<PageCandidate> Candidates;
};

/// Reads the program's output for \p Seconds: a program that prints much stands
/// still where nobody reads.
void discardOutput(const Descriptor &Output, double Seconds) {
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::milliseconds;
  const Clock::time_point End =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(Seconds));
  // An attached process has none here, which poll ignores.
  pollfd Wait = {Output.get(), POLLIN, 0};
  while (true) {
    auto Left = std::chrono::duration_cast<Milliseconds>(End - Clock::now());
    if (Left.count() <= 0)
      return;
    char Buffer[4096];
    if (::poll(&Wait, 1, int(std::min(Left, Milliseconds(1000)).count())) > 0 &&
        ::read(Output.get(), Buffer, sizeof Buffer) <= 0)
      Wait.fd = -1; // Closed.
  }
}

/// Watches which candidates are written; they come first in the search.
Expected<std::vector<CandidateRange>>
watchWrites(LiveProcess &Live, ArrayRef<PageCandidate> Candidates,
            double Seconds) {
  Expected<std::unique_ptr<WriteWatch>> Watch =
      !Live.Started ? WriteWatch::attach(*Live.Outside)
      : !Live.Watcher
          ? Live.Watcher.takeError()
          : WriteWatch::begin(*Live.Outside, std::move(*Live.Watcher));
  if (!Watch)
    return Watch.takeError();
  discardOutput(Live.Output, Seconds);
  Expected<std::vector<RunRange>> Written = (*Watch)->scan();
  if (!Written)
    return Written.takeError();
  Expected<StaticPages> Pages = StaticPages::read(*Live.Outside);
  if (!Pages)
    return Pages.takeError();
  return findWritten(Candidates, *Pages, *Written);
}

} // namespace

Expected<SearchResult> searchIn(const BisectConfig &Config,
                                const SearchSettings &Settings,
                                MutableArrayRef<PageCandidate> Candidates,
                                std::optional<LiveProcess> Live,
                                SearchListener &Listener) {
  // Only the log of a page's symbols may not be there yet.
  const LogStart Start = Settings.Resume && sys::fs::exists(Settings.Log)
                             ? LogStart::Resume
                             : LogStart::New;
  WindowLog Learnt;
  Learnt.Identity = identityOf(Config, Candidates);
  Learnt.Candidates = Candidates.size();
  // A new watch would give other priors, and so another search: on resumption
  // the log says what was written.
  if (Settings.WatchSeconds && Start == LogStart::New) {
    Expected<std::vector<CandidateRange>> Written =
        watchWrites(*Live, Candidates, *Settings.WatchSeconds);
    if (!Written)
      return Written.takeError();
    Learnt.Written = std::move(*Written);
  }
  Expected<std::unique_ptr<LoggedOracle>> Log =
      LoggedOracle::open(Settings.Log, Start, Learnt);
  if (!Log)
    return Log.takeError();
  weighByWrites(Candidates, Learnt.Written);

  Problem Task;
  Task.Metric = Config.Metric == MetricSource::ExitCode ? MetricKind::Verdict
                                                        : MetricKind::Number;
  Task.AsksForWhole = Settings.AsksForWhole;
  for (const PageCandidate &C : Candidates)
    Task.Prior.push_back(C.Prior);
  Expected<std::unique_ptr<PlacingOracle>> Oracle =
      Live ? makeLiveOracle(Config, Candidates, std::move(*Live))
           : makeRunOracle(Config, Candidates);
  if (!Oracle)
    return Oracle.takeError();
  (*Log)->setInner(**Oracle);
  SearchResult Result;
  {
    WindowLines Lines(Listener, Candidates);
    Result.Found = bisect::bisect(Task, **Log, Lines);
  }
  Result.Notes = (*Oracle)->finish();
  Result.CannotTell = (*Oracle)->cannotTell();
  if (Error E = joinErrors((*Oracle)->takeError(), (*Log)->takeError())) {
    // The reason is no reason to be silent about what was put back.
    for (const std::string &Note : Result.Notes)
      Listener.note(Note);
    return std::move(E);
  }
  return Result;
}

} // namespace linesman::drive
