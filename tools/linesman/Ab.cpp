// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman ab 'COMMAND A' 'COMMAND B': measured in turn in one run, until it
// can be told which is faster. With --place, one command with and without a
// placement.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Control/Actuator.h"
#include "linesman/Drive/AbReport.h"
#include "linesman/Guard/Output.h"
#include "linesman/Process/Signals.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include <unistd.h>

using namespace llvm;
using namespace linesman::control;
using namespace linesman::bisect;
using namespace linesman::drive;
using namespace linesman::process;

namespace linesman::tool {

namespace {

enum class FailWhen { Faster, Slower, Difference };

/// Of all counters; the options refer to it.
const std::string &counterNames() {
  static const std::string Names = join(
      map_range(countableEvents(), [](const Event &E) { return E.Name.str(); }),
      ", ");
  return Names;
}

struct Options {
  const std::string MetricText =
      "What is compared: time (default), output (with --match), exit (0 is "
      "good), or a counter: " +
      counterNames();

  cl::SubCommand Command{"ab", "Two commands measured in turn"};
  cl::list<std::string> Commands{cl::Positional, cl::OneOrMore,
                                 cl::desc("'COMMAND A' 'COMMAND B'"),
                                 cl::sub(Command)};
  cl::opt<std::string> MetricName{"metric", cl::desc(MetricText),
                                  cl::value_desc("name"), cl::sub(Command)};
  cl::opt<std::string> Match{
      "match",
      cl::desc("The metric is the last match in the output: its first group, "
               "or the whole"),
      cl::value_desc("regex"), cl::sub(Command)};
  cl::opt<Better> Which{
      "better",
      cl::desc("Which metric is better (output: higher; all others: lower)"),
      cl::values(clEnumValN(Better::Lower, "lower", ""),
                 clEnumValN(Better::Higher, "higher", "")),
      cl::sub(Command)};
  cl::opt<std::string> Probe{
      "probe",
      cl::desc("Measure this command while A or B runs; LINESMAN_PID is set"),
      cl::value_desc("command"), cl::sub(Command)};
  cl::list<std::string> Place{
      "place",
      cl::desc("Compare one command without and with this placement of its "
               "static pages, as in linesman run"),
      cl::value_desc("selector=node"), cl::sub(Command)};
  NumberOption<double> Margin{
      "margin", cl::desc("Differences below so many percent are none (2)"),
      cl::value_desc("percent"), cl::init(2), cl::sub(Command)};
  SecondsOption TimeLimit{"time-limit", "Start no round after this time (120)",
                          Command};
  NumberOption<unsigned> Rounds{
      "rounds", cl::desc("Exactly so many rounds, and one look at the end"),
      cl::value_desc("n"), cl::sub(Command)};
  NumberOption<unsigned> Warmup{
      "warmup", cl::desc("Rounds that do not count, first (1)"),
      cl::value_desc("n"), cl::init(1), cl::sub(Command)};
  cl::opt<AbConfig::Disturbed> Busy{
      "disturbed",
      cl::desc("Rounds in which other programs kept a command waiting"),
      cl::values(clEnumValN(AbConfig::Disturbed::LeftOut, "leave-out",
                            "do not count (default)"),
                 clEnumValN(AbConfig::Disturbed::Counted, "count",
                            "count all the same"),
                 clEnumValN(AbConfig::Disturbed::LastResort, "last-resort",
                            "count for a difference when the others do not "
                            "tell in time")),
      cl::init(AbConfig::Disturbed::LeftOut), cl::sub(Command)};
  cl::opt<FailWhen> Fails{
      "fail-on",
      cl::desc("Exit with 1 on this verdict; cannot-tell is then an error"),
      cl::values(clEnumValN(FailWhen::Slower, "slower", "B is worse"),
                 clEnumValN(FailWhen::Faster, "faster", "B is better"),
                 clEnumValN(FailWhen::Difference, "difference", "either")),
      cl::sub(Command)};
  FormatOption As{Command};
  OutputOption Output{Command};
};

Error readMetric(const Options &Opts, AbConfig &Config) {
  std::string Problem;
  if (!Opts.Match.empty() && !Regex(Opts.Match).isValid(Problem))
    return createStringError("--match=" + Opts.Match + ": " + Problem);
  StringRef Name = Opts.MetricName;
  if (Name.empty())
    Name = Opts.Match.empty() ? "time" : "output";
  const Event *Counted = findEvent(Name);
  if (Name == "time")
    Config.What = Metric::Time;
  else if (Name == "output")
    Config.What = Metric::Output;
  else if (Name == "exit")
    Config.What = Metric::Exit;
  else if (Counted)
    Config.What = Metric::Events;
  else
    return createStringError("--metric=" + Name +
                             ": expected time, output, exit, or one of " +
                             counterNames());
  if ((Config.What == Metric::Output) == Opts.Match.empty())
    return createStringError(Opts.Match.empty()
                                 ? "--metric=output needs --match=REGEX"
                                 : "--match goes with --metric=output only");
  Config.A.Counted = Config.B.Counted = Counted;
  Config.Match = Opts.Match;
  Config.Compare.Which =
      Config.What == Metric::Output ? Better::Higher : Better::Lower;
  if (Opts.Which.getNumOccurrences())
    Config.Compare.Which = Opts.Which;
  return Error::success();
}

/// What --place compares: the command under the shim, as it is and placed.
Error readPlacements(const Options &Opts, AbConfig &Config) {
  if (Opts.Commands.size() != 1)
    return createStringError("--place compares one command without and with a "
                             "placement; expected one 'COMMAND'");
  Expected<std::vector<int>> Nodes = control::readNodes();
  if (!Nodes)
    return Nodes.takeError();
  if (Nodes->size() < 2)
    return createStringError("--place: this machine has one NUMA node, so all "
                             "placements are the same");
  auto quote = [](StringRef Word) {
    std::string Result = "'";
    for (char C : Word)
      Result += C == '\'' ? std::string("'\\''") : std::string(1, C);
    return Result + "'";
  };
  std::string Run =
      quote(sys::fs::getMainExecutable(nullptr, nullptr)) + " run";
  Config.A.Command = Run + " -- " + Opts.Commands[0];
  for (const std::string &Place : Opts.Place)
    Run += " --place " + quote(Place);
  Config.B.Command = Run + " -- " + Opts.Commands[0];
  return Error::success();
}

Expected<AbConfig> readConfig(const Options &Opts) {
  AbConfig Config;
  if (Error E = readMetric(Opts, Config))
    return std::move(E);
  if (!Opts.Place.empty()) {
    if (Error E = readPlacements(Opts, Config))
      return std::move(E);
  } else if (Opts.Commands.size() != 2) {
    return createStringError(
        formatv("expected two quoted commands, 'COMMAND A' 'COMMAND B', got "
                "{0}",
                Opts.Commands.size()));
  } else {
    Config.A.Command = Opts.Commands[0];
    Config.B.Command = Opts.Commands[1];
  }
  for (const std::string &Command : {Config.A.Command, Config.B.Command})
    if (StringRef(Command).trim().empty())
      return createStringError("expected a command, got an empty word");
  if (!(Opts.Margin > 0 && Opts.Margin < 100))
    return createStringError("--margin: expected percent above 0, below 100");
  if (Opts.Rounds.getNumOccurrences() && Opts.Rounds < 2)
    return createStringError("--rounds: expected at least 2");
  if (Error E = Opts.TimeLimit.check())
    return std::move(E);
  Config.A.Probe = Config.B.Probe = Opts.Probe;
  Config.Compare.Margin = Opts.Margin / 100;
  Config.Rounds = Opts.Rounds;
  Config.Warmup = Opts.Warmup;
  Config.Busy = Opts.Busy;
  if (Opts.TimeLimit.getNumOccurrences())
    Config.MostSeconds = Opts.TimeLimit;
  return Config;
}

std::string nameMetric(const AbConfig &Config) {
  switch (Config.What) {
  case Metric::Time:
    return "seconds";
  case Metric::Output:
    return Config.Match;
  case Metric::Exit:
    return "exit code (0 good, 1 bad)";
  case Metric::Events:
    return Config.A.Counted->Name.str();
  }
  llvm_unreachable("unknown metric");
}

/// One line that is written again and again, for a terminal.
void showProgress(const AbResult &SoFar) {
  if (!::isatty(STDERR_FILENO))
    return;
  errs() << formatv("\rround {0}, {1} left out", SoFar.Rounds.size(),
                    SoFar.Disturbed.size() + SoFar.Skipped);
  if (SoFar.Compared.Rounds >= 2)
    errs() << formatv(", B / A {0:f3}", SoFar.Compared.BToA.Median);
  errs() << "   ";
  errs().flush();
}

bool fails(FailWhen On, Answer Verdict) {
  switch (On) {
  case FailWhen::Faster:
    return Verdict == Answer::Faster;
  case FailWhen::Slower:
    return Verdict == Answer::Slower;
  case FailWhen::Difference:
    return Verdict == Answer::Faster || Verdict == Answer::Slower;
  }
  llvm_unreachable("unknown condition");
}

} // namespace

int runAb(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args, "linesman ab: two commands measured in turn, until "
                          "it can be told which is faster\n"))
    return Failure;
  Expected<AbConfig> Config = readConfig(Opts);
  if (!Config)
    return fail(Config.takeError());
  if (Error E = guard::checkOutput(Opts.Output))
    return fail(std::move(E));

  EndRequests Requests;
  Expected<AbResult> Result =
      drive::runAb(*Config, showProgress, [&] { return Requests.hasCome(); });
  if (::isatty(STDERR_FILENO))
    errs() << "\r\033[K";
  if (!Result)
    return fail(Result.takeError());

  AbReport Report{*Config, *Result, Config->A.Command, Config->B.Command,
                  nameMetric(*Config)};
  if (Error E = guard::writeOutput(Opts.Output, [&](raw_ostream &OS) {
        Opts.As == Format::Json ? writeJson(Report, OS) : writeText(Report, OS);
      }))
    return fail(std::move(E));
  Answer Verdict = Result->Compared.Verdict;
  if (Opts.Fails.getNumOccurrences() && Verdict == Answer::CannotTell)
    return fail(createStringError("--fail-on: it could not be told whether "
                                  "there is a difference"));
  if (Opts.Fails.getNumOccurrences() && fails(Opts.Fails, Verdict))
    return Found;
  return Result->Stop == StopReason::Interrupted ? Failure : Success;
}

} // namespace linesman::tool
