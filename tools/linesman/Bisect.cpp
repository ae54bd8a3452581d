// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman bisect -- COMMAND: candidates, priors, log, search, explode, report.

#include "BisectLog.h"
#include "BisectReport.h"
#include "Commands.h"
#include "Explode.h"
#include "Placements.h"
#include "Ranking.h"
#include "SharedOptions.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::control;

namespace linesman::tool {

namespace {

struct Options {
  cl::SubCommand Command{"bisect", "Which static page makes it slow"};
  cl::list<std::string> Run{cl::Positional, cl::desc("[-- COMMAND]"),
                            cl::sub(Command)};
  cl::opt<MetricSource> Metric{
      "metric", cl::desc("What a window measures"),
      cl::values(clEnumValN(MetricSource::ExitCode, "exit",
                            "exit code: 0 good, 125 skip, above 127 stop, "
                            "others bad (default)"),
                 clEnumValN(MetricSource::Output, "output",
                            "the last match of --match in the output"),
                 clEnumValN(MetricSource::Time, "time",
                            "seconds from main to the end")),
      cl::init(MetricSource::ExitCode), cl::sub(Command)};
  cl::opt<std::string> Match{
      "match",
      cl::desc("The number in the output: the first group, or the whole; "
               "means --metric=output"),
      cl::value_desc("regex"), cl::sub(Command)};
  cl::opt<unsigned> Live{
      "live",
      cl::desc("One process for all windows; a window is so many "
               "matches of --match"),
      cl::value_desc("n"), cl::sub(Command)};
  cl::opt<std::string> Probe{
      "probe",
      cl::desc("One process for all windows; this shell command measures it "
               "(LINESMAN_PID is its number)"),
      cl::value_desc("command"), cl::sub(Command)};
  cl::opt<int> Pid{"pid",
                   cl::desc("Search in this running process; needs "
                            "--probe"),
                   cl::value_desc("pid"), cl::sub(Command)};
  cl::opt<std::string> Program{
      "program",
      cl::desc("The program, when COMMAND is a script that starts it"),
      cl::value_desc("file"), cl::sub(Command)};
  cl::opt<std::string> Candidates{
      "candidates",
      cl::desc("Where to search (all: of every module; without it, the "
               "executable's pages)"),
      cl::value_desc("selector"), cl::sub(Command)};
  cl::opt<int> Local{"local", cl::desc("The good node (the first)"),
                     cl::value_desc("node"), cl::sub(Command)};
  cl::opt<int> Remote{"remote", cl::desc("The bad node (the last)"),
                      cl::value_desc("node"), cl::sub(Command)};
  SecondsOption WatchFirst{"dirty",
                           "Watch for so long which pages are written, and "
                           "look there first; with --live or --probe",
                           Command};
  cl::opt<std::string> Log{"log",
                           cl::desc("Log of the windows (linesman-bisect.log)"),
                           cl::value_desc("file"),
                           cl::init("linesman-bisect.log"), cl::sub(Command)};
  cl::opt<bool> Resume{"resume", cl::desc("Go on from the log"),
                       cl::sub(Command)};
  cl::opt<std::string> LinkCommand{
      "link-command",
      cl::desc("File with the program's link command: go on to the symbol, by "
               "one relink with every symbol of the page on its own page"),
      cl::value_desc("file"), cl::sub(Command)};
  cl::opt<std::string> Captured{
      "captured",
      cl::desc("The same with the link that 'linesman capture' recorded for "
               "this output"),
      cl::value_desc("output"), cl::sub(Command)};
  cl::opt<std::string> Links{
      "links", cl::desc("Folder of the captured links (linesman-links)"),
      cl::value_desc("folder"), cl::init("linesman-links"), cl::sub(Command)};
  cl::opt<bool> Simulated{
      "simulated", cl::desc("The metric is simulated: say so in the result"),
      cl::sub(Command)};
  cl::opt<bool> Progress{"progress",
                         cl::desc("A line for each window on stderr (in a "
                                  "terminal there is one that changes)"),
                         cl::sub(Command)};
  FormatOption As{Command};
  OutputOption Output{Command};
  cl::opt<std::string> Shim{"shim",
                            cl::desc("The shim (beside this program, in lib)"),
                            cl::value_desc("file"), cl::sub(Command)};
};

Expected<BisectConfig> readConfig(const Options &Opts) {
  BisectConfig Config;
  Config.Command.assign(Opts.Run.begin(), Opts.Run.end());
  Config.Program = Opts.Program;
  Config.ShimPath = findShim(Opts.Shim);
  Config.Attach = {Opts.Pid};
  Config.Metric =
      Opts.Match.empty() ? MetricSource(Opts.Metric) : MetricSource::Output;
  Config.Match = Opts.Match;
  Config.LiveMatches = Opts.Live;
  Config.Probe = Opts.Probe;
  std::string Problem;
  if (!Opts.Match.empty() && !Regex(Opts.Match).isValid(Problem))
    return createStringError("--match=" + Opts.Match + ": " + Problem);
  if (Config.Metric == MetricSource::Output && Opts.Match.empty())
    return createStringError("--metric=output needs --match=REGEX");
  if (Opts.Pid.getNumOccurrences() && (Opts.Pid <= 0 || Opts.Probe.empty()))
    return createStringError("--pid needs the number of a process, and "
                             "--probe=COMMAND to measure it");
  if (Opts.Run.empty() != bool(Opts.Pid.getNumOccurrences()))
    return createStringError("expected one thing to search: -- COMMAND, or "
                             "--pid with --probe");
  if (Config.LiveMatches && !Config.Probe.empty())
    return createStringError("--live and --probe are two ways to measure; "
                             "choose one");
  if (Config.LiveMatches && Opts.Match.empty())
    return createStringError("--live needs --match=REGEX");
  if (Error E = Opts.WatchFirst.check())
    return std::move(E);
  if (Opts.Live.getNumOccurrences() && !Opts.Live)
    return createStringError("--live=0: a window needs a match");
  if (Opts.WatchFirst.getNumOccurrences() && !Config.isLive())
    return createStringError("--dirty needs one process for all windows: "
                             "--live or --probe");
  if (Opts.Resume && !sys::fs::exists(Opts.Log))
    return createStringError("--resume: there is no log " + Opts.Log);
  if (!Opts.LinkCommand.empty() && !Opts.Captured.empty())
    return createStringError("--link-command and --captured both name the "
                             "link; choose one");
  if (!(Opts.LinkCommand.empty() && Opts.Captured.empty()) &&
      Config.Attach.Value)
    return createStringError(
        (Opts.Captured.empty() ? "--link-command" : "--captured") +
        Twine(" does not go with --pid: the exploded program is another "
              "program"));
  return Config;
}

/// The program's link; nothing when the search ends at pages. Read before the
/// search, which takes long.
Expected<std::optional<relink::Link>> readLink(const Options &Opts) {
  if (Opts.LinkCommand.empty() && Opts.Captured.empty())
    return std::nullopt;
  Expected<relink::Link> Result =
      Opts.Captured.empty()
          ? readLinkCommand(Opts.LinkCommand)
          : relink::findCapturedLink(Opts.Links, Opts.Captured);
  if (!Result)
    return Result.takeError();
  return std::move(*Result);
}

/// Sets the nodes. False on a machine with one: then there is nothing to do.
Expected<bool> chooseNodes(const Options &Opts, BisectConfig &Config) {
  Expected<std::vector<int>> Nodes = readNodes();
  if (!Nodes)
    return Nodes.takeError();
  if (Nodes->size() < 2)
    return false;
  Config.LocalNode =
      Opts.Local.getNumOccurrences() ? Opts.Local : Nodes->front();
  Config.RemoteNode =
      Opts.Remote.getNumOccurrences() ? Opts.Remote : Nodes->back();
  for (int Node : {Config.LocalNode, Config.RemoteNode})
    if (!is_contained(*Nodes, Node))
      return createStringError(formatv("there is no node {0}", Node));
  if (Config.LocalNode == Config.RemoteNode)
    return createStringError("--local and --remote are the same node");
  return true;
}

/// The candidates and what was learnt with them.
struct Field {
  std::vector<PageCandidate> Candidates;
  std::string Program;
  std::optional<input::Binary> Binary;
  std::vector<layout::LineFinding> Findings;
};

Expected<Field> readField(Actuator &With, const Options &Opts) {
  Expected<StaticPages> Pages = StaticPages::read(With);
  if (!Pages)
    return Pages.takeError();
  Field Result;
  Result.Program = Pages->modules().front().At.Path;
  std::string Selector = Opts.Candidates;
  if (Selector.empty())
    Selector = sys::path::filename(Result.Program).str() + "!all";
  Expected<std::vector<PageCandidate>> Found = findCandidates(*Pages, Selector);
  if (!Found)
    return Found.takeError();
  Result.Candidates = std::move(*Found);
  // Without its file the search still works, by pages without names.
  if (Expected<input::Binary> Binary = readRanked(Result.Program)) {
    Result.Findings = rankLines(*Binary);
    weighByScores(Result.Candidates, Result.Program,
                  layout::LineMap(Binary->Image, {}), Result.Findings);
    Result.Binary.emplace(std::move(*Binary));
  } else {
    consumeError(Binary.takeError());
  }
  return std::move(Result);
}

/// Starts the program up to main, to see what it has, and ends it there.
Expected<Field> inspectProgram(const BisectConfig &Config,
                               const Options &Opts) {
  Expected<std::unique_ptr<Launch>> Process = Launch::start(
      {Config.Command, Config.Program, Config.ShimPath, {}, STDERR_FILENO});
  if (!Process)
    return Process.takeError();
  Expected<std::unique_ptr<ShimClient>> Shim = (*Process)->greet();
  if (!Shim)
    return Shim.takeError();
  return readField(**Shim, Opts);
}

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
  ProgressLine(const Options &Opts, ArrayRef<PageCandidate> Candidates)
      : Lines(Opts.Progress), Terminal(sys::Process::StandardErrIsDisplayed()),
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

/// One search over a set of candidates, with its log.
Expected<bisect::Result> searchIn(const BisectConfig &Config,
                                  const Options &Opts, StringRef LogPath,
                                  MutableArrayRef<PageCandidate> Candidates,
                                  std::optional<LiveProcess> Live) {
  std::string Identity = identityOf(Config, Candidates);
  std::string Notes;
  // A new watch would give other priors, and so another search: on resumption
  // the log says what was written.
  if (Opts.WatchFirst.getNumOccurrences() && !Opts.Resume) {
    auto *Shim = Live->With->isInside()
                     ? static_cast<ShimClient *>(Live->With.get())
                     : nullptr;
    if (!Shim)
      return createStringError("--dirty needs the shim in the process");
    Expected<unsigned> Unwatched = Shim->watchWrites();
    if (!Unwatched)
      return Unwatched.takeError();
    std::this_thread::sleep_for(std::chrono::duration<double>(Opts.WatchFirst));
    Expected<std::vector<RunRange>> Written = Shim->scanWrites();
    if (!Written)
      return Written.takeError();
    Expected<StaticPages> Pages = StaticPages::read(*Shim);
    if (!Pages)
      return Pages.takeError();
    for (CandidateRange R : weighByWrites(Candidates, *Pages, *Written))
      Notes += formatv("{0}{1}-{2}", Notes.empty() ? "" : ",", R.Begin, R.End);
  }
  // Only the log of a page's symbols may not be there yet.
  Expected<std::unique_ptr<LoggedOracle>> Log = LoggedOracle::open(
      LogPath,
      Opts.Resume && sys::fs::exists(LogPath) ? LogStart::Resume
                                              : LogStart::New,
      Candidates.size(), Identity, Notes);
  if (!Log)
    return Log.takeError();
  if (Opts.Resume) {
    SmallVector<StringRef> Ranges;
    StringRef(Notes).split(Ranges, ',', -1, /*KeepEmpty=*/false);
    for (StringRef Range : Ranges) {
      auto [Begin, End] = Range.split('-');
      size_t From = 0, To = 0;
      if (Begin.getAsInteger(10, From) || End.getAsInteger(10, To) ||
          To > Candidates.size())
        return createStringError(LogPath + ":1: not the header of a log");
      for (; From < To; ++From)
        Candidates[From].Prior *= 8;
    }
  }

  Problem Of;
  Of.Metric = Config.Metric == MetricSource::ExitCode ? MetricKind::Verdict
                                                      : MetricKind::Number;
  for (const PageCandidate &C : Candidates)
    Of.Prior.push_back(C.Prior);
  std::unique_ptr<PlacingOracle> Oracle =
      Live ? makeLiveOracle(Config, Candidates, std::move(*Live))
           : makeRunOracle(Config, Candidates);
  (*Log)->setInner(*Oracle);
  ProgressLine Line(Opts, Candidates);
  bisect::Result Found = bisect::bisect(Of, **Log, Line);
  if (Error E = joinErrors(Oracle->takeError(), (*Log)->takeError()))
    return std::move(E);
  return Found;
}

std::string metricName(const BisectConfig &Config) {
  switch (Config.Metric) {
  case MetricSource::ExitCode:
    return "verdict";
  case MetricSource::Output:
    return Config.Match;
  case MetricSource::Time:
    return "seconds";
  }
  llvm_unreachable("unknown metric");
}

/// The second search, over the symbols of a culprit's page. Its result is
/// printed after the first's; what stands in the way becomes a note of the
/// first.
struct SymbolSearch {
  Exploded Layout;
  bisect::Result Found;
};

/// What the files of the search in a page begin with, and its log.
std::string searchBase(const Options &Opts, const PageCandidate &Page) {
  return formatv("{0}.{1:x}", Opts.Log, Page.Pages.Begin.Value);
}
std::string symbolLog(const Options &Opts, const PageCandidate &Page) {
  return searchBase(Opts, Page) + ".symbols";
}

/// Fails for a log that would be in the way at the end of the first search.
Error checkSymbolLogs(const Options &Opts, const Field &In) {
  for (const PageCandidate &Page : In.Candidates)
    if (!Opts.Resume && Page.Module == In.Program &&
        sys::fs::exists(symbolLog(Opts, Page)))
      return createStringError(symbolLog(Opts, Page) +
                               ": the log exists; choose another with --log");
  return Error::success();
}

Expected<SymbolSearch> searchSymbols(BisectConfig Config, const Options &Opts,
                                     const Field &In, const relink::Link &From,
                                     const PageCandidate &Page) {
  if (!In.Binary || Page.Module != In.Program)
    return createStringError("the page is not the program's");
  // The other culprits' pages stay as they are, and local.
  std::string Output = searchBase(Opts, Page) + ".exploded";
  Expected<Exploded> Layout = explodePage(*In.Binary, Page, From, Output);
  if (!Layout)
    return Layout.takeError();
  SmallString<256> Path;
  if (std::error_code EC = sys::fs::real_path(Output, Path))
    return createFileError(Output, EC);
  // The program is replaced where the command names it.
  bool Named = false;
  for (std::string &Word : Config.Command) {
    SmallString<256> Real;
    if (sys::fs::real_path(Word, Real) || Real != In.Program)
      continue;
    Word = std::string(Path);
    Named = true;
  }
  if (!Named)
    return createStringError("the command does not name the program, so the "
                             "exploded one can not take its place");
  Config.Program = Config.Program.empty() ? "" : std::string(Path);
  std::optional<LiveProcess> Live;
  if (Config.isLive()) {
    Expected<LiveProcess> Process = startLive(Config);
    if (!Process)
      return Process.takeError();
    Live.emplace(std::move(*Process));
  }
  Expected<bisect::Result> Found = searchIn(Config, Opts, symbolLog(Opts, Page),
                                            Layout->Symbols, std::move(Live));
  if (!Found)
    return Found.takeError();
  return SymbolSearch{std::move(*Layout), std::move(*Found)};
}

/// What the exploded layout says about the kind of sharing.
std::string explainSymbols(const SymbolSearch &Symbols) {
  if (Symbols.Found.Outcome == Verdict::NoEffect)
    return "with every symbol of the page on its own page the slow-down is "
           "gone: it was false sharing, between neighbours";
  if (!Symbols.Found.Culprits.empty())
    return "it stays slow on a page of its own: the symbol itself is shared, "
           "and a better layout does not help";
  return "the exploded layout gave no certain answer";
}

} // namespace

int runBisect(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args,
                    "linesman bisect: which static page makes it slow "
                    "when it is remote, then which symbol\n",
                    Opts.Run))
    return Failure;
  Expected<BisectConfig> Config = readConfig(Opts);
  if (!Config)
    return fail(Config.takeError());
  Expected<std::optional<relink::Link>> From = readLink(Opts);
  if (!From)
    return fail(From.takeError());
  Expected<bool> HasNodes = chooseNodes(Opts, *Config);
  if (!HasNodes)
    return fail(HasNodes.takeError());
  if (Error E = checkOutput(Opts.Output))
    return fail(std::move(E));
  if (!*HasNodes) {
    Error E =
        writeOutput(Opts.Output, Opts.As == Format::Json ? writeOneNodeJson
                                                         : writeOneNodeText);
    return E ? fail(std::move(E)) : Success;
  }

  std::optional<LiveProcess> Live;
  if (Config->isLive()) {
    Expected<LiveProcess> Process = startLive(*Config);
    if (!Process)
      return fail(Process.takeError());
    Live.emplace(std::move(*Process));
    if (!Live->With->isInside() && readBalancing() == Balancing::On)
      errs() << "linesman: note: kernel.numa_balancing is on; windows in which "
                "it moved a page are skipped\n";
  }
  Expected<Field> In =
      Live ? readField(*Live->With, Opts) : inspectProgram(*Config, Opts);
  if (!In)
    return fail(In.takeError());
  if (*From)
    if (Error E = checkSymbolLogs(Opts, *In))
      return fail(std::move(E));
  Expected<bisect::Result> Found =
      searchIn(*Config, Opts, Opts.Log, In->Candidates, std::move(Live));
  if (!Found)
    return fail(Found.takeError());

  BisectReport Report{In->Program,
                      metricName(*Config),
                      Opts.Simulated,
                      SearchedFor::Pages,
                      *Found,
                      In->Candidates,
                      In->Binary ? &*In->Binary : nullptr,
                      In->Findings,
                      {}};
  // One for each culprit; the reports refer to them.
  std::vector<std::optional<SymbolSearch>> Symbols(Found->Culprits.size());
  std::vector<std::optional<BisectReport>> SymbolReports(Symbols.size());
  for (auto [C, Search, Told] :
       zip_equal(Found->Culprits, Symbols, SymbolReports)) {
    if (!*From)
      break;
    const PageCandidate &Page = In->Candidates[C.Candidate];
    Expected<SymbolSearch> Second =
        searchSymbols(*Config, Opts, *In, **From, Page);
    if (!Second) {
      Report.Notes.push_back(
          formatv("the symbols of page {0:x} are not told apart: {1}",
                  Page.Pages.Begin.Value, toString(Second.takeError())));
      continue;
    }
    Search.emplace(std::move(*Second));
    Told.emplace(BisectReport{In->Program,
                              metricName(*Config),
                              Opts.Simulated,
                              SearchedFor::Symbols,
                              Search->Found,
                              Search->Layout.Symbols,
                              nullptr,
                              {},
                              {explainSymbols(*Search)}});
    if (!Search->Layout.Left.empty())
      Told->Notes.push_back("not moved apart: " + shorten(Search->Layout.Left));
  }
  Error Problem = writeOutput(Opts.Output, [&](raw_ostream &OS) {
    if (Opts.As == Format::Json)
      return writeJson(Report, SymbolReports, OS);
    writeText(Report, OS);
    for (auto [C, Told] : zip_equal(Found->Culprits, SymbolReports))
      if (Told) {
        OS << formatv("\nsymbols of page {0:x}:\n",
                      In->Candidates[C.Candidate].Pages.Begin.Value);
        writeText(*Told, OS);
      }
  });
  if (Problem)
    return fail(std::move(Problem));
  return Success;
}

} // namespace linesman::tool
