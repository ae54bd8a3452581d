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
#include "linesman/Guard/Text.h"
#include "linesman/Process/Signals.h"
#include "linesman/Report/TextLines.h"
#include "terminal/StatusLine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::control;
using namespace linesman::bisect;
using namespace linesman::drive;
using namespace linesman::process;

namespace linesman::tool {

namespace {

enum class FailWhen { Faster, Slower, Difference };

struct AbOptions {
  const std::string MetricText =
      "What is compared: time (default), output (with --match), exit (0 is "
      "good), or a counter: " +
      counterNames();

  cl::SubCommand Command{"ab"};
  Rest Commands{Command, "'COMMAND A' 'COMMAND B'", cl::OneOrMore};
  Text MetricName{Command, "metric", "name", MetricText};
  Text Match{Command, "match", "regex",
             "The metric is the last match in the output: its first group, or "
             "the whole"};
  Choice<Better> Direction{
      Command,
      "better",
      "Which metric is better (output: higher; all others: lower)",
      {{"lower", Better::Lower, ""}, {"higher", Better::Higher, ""}}};
  Text Probe{Command, "probe", "command",
             "Measure this command while A or B runs; LINESMAN_PID is set"};
  Texts Place{Command, "place", "selector=node",
              "Compare one command without and with this placement of its "
              "static pages, as in linesman run"};
  Number<double> Margin{Command, "margin", "percent",
                        "Treat a difference below this percentage as none (2)",
                        2};
  Seconds TimeLimit{Command, "time-limit",
                    "Start no round after this many seconds (120)"};
  Number<unsigned> Rounds{
      Command, "rounds", "n",
      "Run exactly this many rounds, and judge once, at the end"};
  Number<unsigned> Warmup{Command, "warmup", "n",
                          "Rounds at the beginning that do not count (1)", 1};
  Choice<AbConfig::Disturbed> Busy{
      Command,
      "disturbed",
      "Rounds in which other programs kept a command waiting",
      {{"leave-out", AbConfig::Disturbed::LeftOut, "do not count (default)"},
       {"count", AbConfig::Disturbed::Counted, "count all the same"},
       {"last-resort", AbConfig::Disturbed::LastResort,
        "count when the others alone leave it open at the end"}},
      AbConfig::Disturbed::LeftOut};
  Choice<FailWhen> Fails{
      Command,
      "fail-on",
      "Exit with 1 on this verdict; cannot-tell is then an error",
      {{"slower", FailWhen::Slower, "B is worse"},
       {"faster", FailWhen::Faster, "B is better"},
       {"difference", FailWhen::Difference, "either"}}};
  FormatOption Form{Command};
  OutputOption Output{Command};
};

Error readMetric(const AbOptions &Opts, AbConfig &Config) {
  if (Error E = checkRegex("match", Opts.Match))
    return E;
  if (Error E = chooseMetric(Opts.MetricName, Opts.Match, Config))
    return E;
  if (Opts.Direction.getNumOccurrences())
    Config.Compare.Direction = Opts.Direction;
  return Error::success();
}

Expected<AbConfig> readConfig(const AbOptions &Opts) {
  AbConfig Config;
  if (Error E = readMetric(Opts, Config))
    return std::move(E);
  if (!Opts.Place.empty()) {
    if (Opts.Commands.size() != 1)
      return createStringError("--place compares one command without and with "
                               "a placement; expected one 'COMMAND'");
    if (Error E =
            comparePlacements(sys::fs::getMainExecutable(nullptr, nullptr),
                              Opts.Commands[0], Opts.Place, Config))
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

std::string describeProgress(const AbResult &SoFar) {
  std::string Text = formatv("round {0}, {1} left out", SoFar.Rounds.size(),
                             SoFar.Disturbed.size() + SoFar.Skipped);
  if (SoFar.Compared.Rounds >= 2)
    Text += ", B / A " + report::measurementText(SoFar.Compared.BToA.Median);
  return Text;
}

bool fails(FailWhen Failing, Answer Verdict) {
  switch (Failing) {
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

Expected<int> runAb(Arguments Args) {
  AbOptions Opts;
  if (Error E = parseOptions(Args))
    return std::move(E);
  Expected<AbConfig> Config = readConfig(Opts);
  if (!Config)
    return Config.takeError();
  if (Error E = guard::checkOutput(Opts.Output))
    return std::move(E);

  EndRequests Requests;
  terminal::StatusLine Progress;
  Expected<AbResult> Result = drive::runAb(
      *Config,
      [&](const AbResult &SoFar) { Progress.show(describeProgress(SoFar)); },
      [&] { return Requests.hasCome(); });
  Progress.clear();
  if (!Result)
    return Result.takeError();

  AbReport Report{*Config, *Result};
  if (Error E = guard::writeOutput(Opts.Output, [&](raw_ostream &OS) {
        Opts.Form == Format::Json ? writeJson(Report, OS)
                                  : writeText(Report, OS);
      }))
    return std::move(E);
  Answer Verdict = Result->Compared.Verdict;
  if (Opts.Fails.getNumOccurrences() && Verdict == Answer::CannotTell)
    return createStringError("--fail-on: it could not be told whether "
                             "there is a difference");
  if (Opts.Fails.getNumOccurrences() && fails(Opts.Fails, Verdict))
    return Found;
  return Result->Stop == StopReason::Interrupted ? Failure : Success;
}

} // namespace linesman::tool
