// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Priors, log, oracle, search.

#include "BisectSearch.h"
#include "BisectLog.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <poll.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::control;

namespace linesman::tool {

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

/// The progress line.
class ProgressLine : public bisect::Progress {
public:
  ProgressLine(bool Lines, ArrayRef<PageCandidate> Candidates)
      : Lines(Lines), Terminal(sys::Process::StandardErrIsDisplayed()),
        Candidates(Candidates) {}
  ~ProgressLine() override {
    if (Terminal && !Lines)
      errs() << "\r\033[K"; // Clear the line.
  }

  void next(const WindowRequest &Window, const WindowCounts &Before,
            Guess Best) override {
    if (!Lines && !Terminal)
      return;
    static constexpr StringLiteral Words[] = {"calibrating", "searching",
                                              "confirming"};
    std::string Text = formatv("window {0}: {1}", Before.total() + 1,
                               Words[size_t(Window.For)]);
    if (Window.For != Stage::Calibrate && Best.Probability > 0)
      Text += formatv(", best {0:x} ({1:f2})",
                      Candidates[Best.Candidate].Pages.Begin.Value,
                      Best.Probability);
    errs() << (Lines ? "" : "\r\033[K") << Text << (Lines ? "\n" : "");
  }

private:
  bool Lines, Terminal;
  ArrayRef<PageCandidate> Candidates;
};

/// Reads the program's output for so long: where nobody does, a program that
/// prints much stands still.
void discardOutput(const Descriptor &Output, double Seconds) {
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::milliseconds;
  const Clock::time_point End =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(Seconds));
  // An attached process has none here, which poll ignores.
  pollfd Wait = {Output.get(), POLLIN, 0};
  while (Clock::now() < End) {
    auto Left =
        std::chrono::duration_cast<Milliseconds>(End - Clock::now()).count();
    char Buffer[4096];
    if (::poll(&Wait, 1, static_cast<int>(std::min<long>(Left, 1000)) + 1) >
            0 &&
        ::read(Output.get(), Buffer, sizeof Buffer) <= 0)
      Wait.fd = -1; // Closed.
  }
}

/// Watches which candidates are written; they come first in the search.
Expected<std::vector<CandidateRange>>
watchWrites(const LiveProcess &Live, ArrayRef<PageCandidate> Candidates,
            double Seconds) {
  auto *Shim = Live.With->isInside()
                   ? static_cast<ShimClient *>(Live.With.get())
                   : nullptr;
  if (!Shim)
    return createStringError("--dirty needs the shim in the process");
  Expected<unsigned> Unwatched = Shim->watchWrites();
  if (!Unwatched)
    return Unwatched.takeError();
  discardOutput(Live.Output, Seconds);
  Expected<std::vector<RunRange>> Written = Shim->scanWrites();
  if (!Written)
    return Written.takeError();
  Expected<StaticPages> Pages = StaticPages::read(*Shim);
  if (!Pages)
    return Pages.takeError();
  return findWritten(Candidates, *Pages, *Written);
}

/// Of the log's header: "3-4,9-12".
std::string toText(ArrayRef<CandidateRange> Ranges) {
  std::string Text;
  for (CandidateRange R : Ranges)
    Text += formatv("{0}{1}-{2}", Text.empty() ? "" : ",", R.Begin, R.End);
  return Text;
}

/// Nothing for what is no such text.
std::optional<std::vector<CandidateRange>> fromText(StringRef Text,
                                                    size_t Candidates) {
  std::vector<CandidateRange> Result;
  SmallVector<StringRef> Parts;
  Text.split(Parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    CandidateRange R;
    auto [Begin, End] = Part.split('-');
    if (Begin.getAsInteger(10, R.Begin) || End.getAsInteger(10, R.End) ||
        R.Begin > R.End || R.End > Candidates)
      return std::nullopt;
    Result.push_back(R);
  }
  return Result;
}

} // namespace

Expected<bisect::Result> searchIn(const BisectConfig &Config,
                                  const SearchSettings &Settings,
                                  MutableArrayRef<PageCandidate> Candidates,
                                  std::optional<LiveProcess> Live) {
  std::string Identity = identityOf(Config, Candidates);
  std::string Notes;
  // A new watch would give other priors, and so another search: on resumption
  // the log says what was written.
  if (Settings.WatchSeconds && !Settings.Resume) {
    Expected<std::vector<CandidateRange>> Written =
        watchWrites(*Live, Candidates, *Settings.WatchSeconds);
    if (!Written)
      return Written.takeError();
    Notes = toText(*Written);
  }
  // Only the log of a page's symbols may not be there yet.
  const bool Resumes = Settings.Resume && sys::fs::exists(Settings.Log);
  Expected<std::unique_ptr<LoggedOracle>> Log = LoggedOracle::open(
      Settings.Log, Resumes ? LogStart::Resume : LogStart::New,
      Candidates.size(), Identity, Notes);
  if (!Log)
    return Log.takeError();
  auto Written = fromText(Notes, Candidates.size());
  if (!Written)
    return createStringError(Settings.Log + ":1: not the header of a log");
  weighByWrites(Candidates, *Written);

  Problem Of;
  Of.Metric = Config.Metric == MetricSource::ExitCode ? MetricKind::Verdict
                                                      : MetricKind::Number;
  for (const PageCandidate &C : Candidates)
    Of.Prior.push_back(C.Prior);
  std::unique_ptr<PlacingOracle> Oracle =
      Live ? makeLiveOracle(Config, Candidates, std::move(*Live))
           : makeRunOracle(Config, Candidates);
  (*Log)->setInner(*Oracle);
  ProgressLine Line(Settings.ShowsWindows, Candidates);
  bisect::Result Found = bisect::bisect(Of, **Log, Line);
  if (Error E = joinErrors(Oracle->takeError(), (*Log)->takeError()))
    return std::move(E);
  return Found;
}

} // namespace linesman::tool
