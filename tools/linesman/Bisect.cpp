// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman bisect -- COMMAND: candidates, search for the page, then for the
// symbol, report.

#include "BisectLog.h"
#include "BisectReport.h"
#include "BisectStarts.h"
#include "BisectSymbols.h"
#include "Commands.h"
#include "Deliver.h"
#include "OptionTable.h"
#include "Placements.h"
#include "Ranking.h"
#include "SharedOptions.h"
#include "Signals.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
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
  NumberOption<unsigned> Live{
      "live",
      cl::desc("One process for all windows; a window is so many "
               "matches of --match"),
      cl::value_desc("n"), cl::sub(Command)};
  cl::opt<std::string> Probe{
      "probe",
      cl::desc("One process for all windows; this shell command measures it "
               "(LINESMAN_PID is its number)"),
      cl::value_desc("command"), cl::sub(Command)};
  NumberOption<int> Pid{"pid",
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
  NumberOption<unsigned> Starts{
      "starts",
      cl::desc("Search nothing: compare so many starts as they come, and say "
               "which pages were where in good and in bad ones; needs --live "
               "or --probe"),
      cl::value_desc("n"), cl::sub(Command)};
  cl::opt<Better> Which{
      "better",
      cl::desc("Which metric is better (output: higher; all others: lower)"),
      cl::values(clEnumValN(Better::Lower, "lower", ""),
                 clEnumValN(Better::Higher, "higher", "")),
      cl::sub(Command)};
  NumberOption<int> Local{"local", cl::desc("The good node (the first)"),
                          cl::value_desc("node"), cl::sub(Command)};
  NumberOption<int> Remote{"remote", cl::desc("The bad node (the last)"),
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
  DeliveryOptions To{Command, Format::Text, FindingsFormatOption::Page::None};
  cl::opt<std::string> Shim{"shim",
                            cl::desc("The shim (beside this program, in lib)"),
                            cl::value_desc("file"), cl::sub(Command)};
};

/// Whether the search can say that nothing is there.
bool hasVerdict(const BisectReport &Report) {
  switch (Report.Result.Outcome) {
  case Verdict::Found:
  case Verdict::Partly:
    return true;
  case Verdict::NoEffect:
    return Report.CannotTell.empty();
  case Verdict::TooNoisy:
  case Verdict::Undecided:
  case Verdict::Stopped:
    return false;
  }
  llvm_unreachable("unknown verdict");
}

/// Starts are compared while they run, and nothing is moved in them.
Error checkStarts(const Options &Opts, const BisectConfig &Config) {
  if (Opts.Starts < LeastStarts)
    return createStringError(formatv("--starts={0}: {1} are the fewest that "
                                     "can be compared",
                                     unsigned(Opts.Starts), LeastStarts));
  if (Config.Attach.Value || !Config.isLive())
    return createStringError("--starts needs a command that is started, and "
                             "measured while it runs: --live or --probe");
  if (Opts.Resume || Opts.WatchFirst.getNumOccurrences() ||
      !Opts.LinkCommand.empty() || !Opts.Captured.empty() ||
      Opts.To.Fails.getNumOccurrences())
    return createStringError("--starts searches nothing, so --resume, --dirty, "
                             "--link-command, --captured and --fail-on do not "
                             "go with it");
  return Error::success();
}

Expected<BisectConfig> readConfig(const Options &Opts) {
  BisectConfig Config;
  Config.Command.assign(Opts.Run.begin(), Opts.Run.end());
  Config.Program = Opts.Program;
  Config.ShimPath = findShim(Opts.Shim);
  Config.Attach = {Opts.Pid};
  Config.Metric =
      Opts.Match.empty() ? MetricSource(Opts.Metric) : MetricSource::Output;
  Config.Match = Opts.Match;
  Config.Which = Opts.Which.getNumOccurrences()          ? Better(Opts.Which)
                 : Config.Metric == MetricSource::Output ? Better::Higher
                                                         : Better::Lower;
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
  if (Opts.Starts.getNumOccurrences())
    if (Error E = checkStarts(Opts, Config))
      return std::move(E);
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

/// What is searched when nothing is said: the program, and the libraries that
/// it was linked with and that are not the system's.
std::vector<std::string> defaultSelectors(StaticPages &Pages, StringRef Given) {
  if (!Given.empty())
    return {Given.str()};
  std::vector<std::string> Result;
  for (const NamedModule &M : Pages.modules()) {
    StringRef Path = M.At.Path;
    bool IsSystem = Path.starts_with("/lib") || Path.starts_with("/usr/lib");
    if (&M == &Pages.modules().front() || !IsSystem)
      Result.push_back(sys::path::filename(Path).str() + "!all");
  }
  return Result;
}

Expected<SearchField> readField(Actuator &With, const Options &Opts) {
  Expected<StaticPages> Pages = StaticPages::read(With);
  if (!Pages)
    return Pages.takeError();
  SearchField Result;
  Result.Program = Pages->modules().front().At.Path;
  for (StringRef Selector : defaultSelectors(*Pages, Opts.Candidates)) {
    Expected<std::vector<PageCandidate>> Found =
        findCandidates(*Pages, Selector);
    if (!Found)
      return Found.takeError();
    append_range(Result.Candidates, std::move(*Found));
  }
  for (const NamedModule &M : Pages->modules())
    Result.Modules.push_back(M.At.Path);
  for (const NamedModule &M : Pages->modules())
    for (RunRange Range : M.At.Ranges)
      Result.NotSearched[M.At.Path] += Range.size() / pageSize();
  for (const PageCandidate &C : Result.Candidates)
    if (!--Result.NotSearched[C.Module])
      Result.NotSearched.erase(C.Module);
  // Without its file the search still works, by pages without names.
  if (Expected<input::Binary> Binary =
          readRanked(Pages->modules().front().At.File)) {
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
Expected<SearchField> inspectProgram(const BisectConfig &Config,
                                     const Options &Opts) {
  LaunchConfig Launching;
  Launching.Command = Config.Command;
  Launching.Program = Config.Program;
  Launching.ShimPath = Config.ShimPath;
  Launching.Output = STDERR_FILENO;
  Launching.Interrupt = Config.Interrupt;
  Expected<std::unique_ptr<Launch>> Process = Launch::start(Launching);
  if (!Process)
    return Process.takeError();
  Expected<std::unique_ptr<ShimClient>> Shim = (*Process)->greet();
  if (!Shim)
    return Shim.takeError();
  return readField(**Shim, Opts);
}

/// The same of a process that runs, as it is.
Expected<SearchField> inspect(const BisectConfig &Config, const Options &Opts) {
  if (!Config.Attach.Value)
    return inspectProgram(Config, Opts);
  Expected<std::unique_ptr<Actuator>> With = attachFromOutside(Config.Attach);
  if (!With)
    return With.takeError();
  return readField(**With, Opts);
}

/// The command line that goes on with the search.
std::string resumption(Arguments Args) {
  auto Quote = [](StringRef Word) {
    if (!Word.empty() && Word.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                             "XYZ0123456789-_=./:,+%@") == StringRef::npos)
      return Word.str();
    std::string Result = "'";
    for (char C : Word)
      Result += C == '\'' ? "'\\''" : std::string(1, C);
    return Result + "'";
  };
  std::string Result = "linesman bisect --resume";
  for (StringRef Word : Args.drop_front(2))
    if (Word != "--resume")
      Result += " " + Quote(Word);
  return Result;
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

SearchSettings searchSettings(const Options &Opts) {
  SearchSettings Settings;
  Settings.Log = Opts.Log;
  Settings.Resume = Opts.Resume;
  if (Opts.WatchFirst.getNumOccurrences())
    Settings.WatchSeconds = Opts.WatchFirst;
  Settings.AsksForWhole = true;
  Settings.ShowsWindows = Opts.Progress;
  return Settings;
}

int reportStarts(const Options &Opts, const BisectConfig &Config,
                 const SearchField &In) {
  Expected<StartsReport> Report =
      runStarts(Config, In, Opts.Starts, Opts.Progress);
  if (!Report)
    return fail(Report.takeError());
  Findings None;
  None.Json = [&](auto *, raw_ostream &OS) {
    writeStartsJson(*Report, In, OS);
  };
  None.Text = [&](auto *, raw_ostream &OS) {
    writeStartsText(*Report, In, Config, OS);
  };
  Expected<int> Code = Opts.To.deliver(None);
  if (!Code)
    return fail(Code.takeError());
  return Report->IsStopped ? Failure : *Code;
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
  if (Error E = joinErrors(checkOutput(Opts.To.Output), Opts.To.check()))
    return fail(std::move(E));
  if (!Opts.Resume && !Opts.Starts)
    if (Error E = checkNewLog(Opts.Log))
      return fail(std::move(E));
  if (!*HasNodes) {
    // What is wrong with the command is wrong on every machine.
    Expected<SearchField> In = inspect(*Config, Opts);
    if (!In)
      return fail(In.takeError());
    std::vector<std::string> Notes;
    if (*From)
      if (Error E =
              findLinked(std::move(**From), searchSettings(Opts), *In, Notes)
                  .takeError())
        return fail(std::move(E));
    for (const std::string &Note : Notes)
      errs() << "linesman: note: " << Note << '\n';
    Findings Nothing;
    Nothing.Text = [](auto *, raw_ostream &OS) { writeOneNodeText(OS); };
    Nothing.Json = [](auto *, raw_ostream &OS) { writeOneNodeJson(OS); };
    Expected<int> Code = Opts.To.deliver(Nothing);
    if (!Code)
      return fail(Code.takeError());
    return Opts.To.Fails.getNumOccurrences()
               ? fail(createStringError("this machine has one NUMA node, so "
                                        "--fail-on has nothing to judge"))
               : *Code;
  }

  // From here on an end is asked for, and everything is put back before it.
  EndRequests Ends;
  Config->Interrupt = Ends.file();
  std::optional<LiveProcess> Live;
  std::optional<SearchField> In;
  auto Inspect = [&](Actuator &With) -> Error {
    Expected<SearchField> Field = readField(With, Opts);
    if (!Field)
      return Field.takeError();
    In.emplace(std::move(*Field));
    return Error::success();
  };
  if (Opts.Starts) {
    Expected<SearchField> Field = inspect(*Config, Opts);
    if (!Field)
      return fail(Field.takeError());
    return reportStarts(Opts, *Config, *Field);
  }
  if (Config->isLive()) {
    Expected<LiveProcess> Process =
        startLive(*Config, [&](ShimClient &Shim) -> Error {
          if (Error E = Inspect(Shim))
            return E;
          return holdCandidates(Shim, In->Candidates);
        });
    if (!Process)
      return fail(Process.takeError());
    Live.emplace(std::move(*Process));
    if (Config->Attach.Value && readBalancing() == Balancing::On)
      errs() << "linesman: note: kernel.numa_balancing is on; windows in which "
                "it moved a page are skipped\n";
  }
  if (!In) {
    Expected<SearchField> Field = inspect(*Config, Opts);
    if (!Field)
      return fail(Field.takeError());
    In.emplace(std::move(*Field));
  }
  const SearchSettings Settings = searchSettings(Opts);
  std::optional<LinkedModule> Linked;
  std::vector<std::string> LinkNotes;
  if (*From) {
    Expected<LinkedModule> Made =
        findLinked(std::move(**From), Settings, *In, LinkNotes);
    if (!Made)
      return fail(Made.takeError());
    Linked.emplace(std::move(*Made));
    if (Error E = checkSymbolLogs(Settings, *In, *Linked))
      return fail(std::move(E));
  }
  Expected<SearchResult> Searched =
      searchIn(*Config, Settings, In->Candidates, std::move(Live));
  if (!Searched)
    return fail(Searched.takeError());
  const bisect::Result *Found = &Searched->Found;

  BisectReport Report{In->Program,
                      metricName(*Config),
                      Opts.Simulated,
                      SearchedFor::Pages,
                      *Found,
                      In->Candidates,
                      In->Binary ? &*In->Binary : nullptr,
                      In->Findings,
                      Searched->Notes,
                      Searched->CannotTell,
                      &In->NotSearched};
  append_range(Report.Notes, LinkNotes);
  if (!Found->Culprits.empty() &&
      (Found->Levels.Remote < Found->Levels.Local) ==
          (Config->Which == Better::Lower))
    Report.Notes.push_back(
        formatv("all remote is better than all local: the good node is {0} "
                "(--local={0} --remote={1}), or the metric is the other way "
                "round (--better)",
                Config->RemoteNode, Config->LocalNode));
  const bool IsStopped = Found->Outcome == Verdict::Stopped;
  if (IsStopped)
    Report.Notes.push_back("go on with: " + resumption(Args));
  // One for each culprit; the reports refer to them.
  std::vector<std::optional<SymbolSearch>> Symbols(Found->Culprits.size());
  std::vector<std::optional<BisectReport>> SymbolReports(Symbols.size());
  for (auto [C, Search, Told] :
       zip_equal(Found->Culprits, Symbols, SymbolReports)) {
    if (!Linked || IsStopped)
      break;
    const PageCandidate &Page = In->Candidates[C.Candidate];
    Expected<SymbolSearch> Second =
        searchSymbols(*Config, Settings, *In, *Linked, Page);
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
                              {explainSymbols(*Search)},
                              {},
                              nullptr});
    append_range(Told->Notes, Search->Notes);
    if (!Search->Layout.Left.empty())
      Told->Notes.push_back("not moved apart: " + shorten(Search->Layout.Left));
  }
  Findings Costs;
  Costs.Json = [&](auto *, raw_ostream &OS) {
    writeJson(Report, SymbolReports, OS);
  };
  Costs.Text = [&](auto *, raw_ostream &OS) {
    writeText(Report, OS);
    for (auto [C, Told] : zip_equal(Found->Culprits, SymbolReports))
      if (Told) {
        OS << formatv("\nsymbols of page {0:x}:\n",
                      In->Candidates[C.Candidate].Pages.Begin.Value);
        writeText(*Told, OS);
      }
  };
  if (!Found->Culprits.empty())
    Costs.Highest = layout::Rung::Costed;
  Expected<int> Code = Opts.To.deliver(Costs);
  if (!Code)
    return fail(Code.takeError());
  if (Opts.To.Fails.getNumOccurrences() && !hasVerdict(Report))
    return fail(createStringError("the search came to no verdict, so --fail-on "
                                  "has nothing to judge"));
  return IsStopped ? Failure : *Code;
}

} // namespace linesman::tool
