// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman hunt: climbs the ladder by itself and tells the story.

#include "Commands.h"
#include "Deliver.h"
#include "SharedOptions.h"
#include "linesman/Drive/Ab.h"
#include "linesman/Drive/HuntReport.h"
#include "linesman/Drive/HuntState.h"
#include "linesman/Guard/Output.h"
#include "linesman/Guard/Text.h"
#include "linesman/Process/Signals.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::process;

namespace linesman::tool {

namespace {

struct HuntOptions {
  cl::SubCommand Command{"hunt"};
  Rest Program{Command, "[-- COMMAND...]"};
  PidOption Pid{Command, "Hunt in this process"};
  Text ProgramFile{Command, "program", "file",
                   "The program, when COMMAND is a script"};
  Text Metric{Command, "metric", "name",
              "What is better after a cure: time (default), output (with "
              "--match), exit (0 is good), or a counter of linesman ab"};
  Text Match{Command, "match", "regex",
             "The metric is the last match in the output"};
  Text Better{Command, "better", "word",
              "Which metric is better: lower or higher"};
  Text Probe{Command, "probe", "command",
             "Measure this command while the program runs"};
  Text LinkCommand{Command, "link-command", "file",
                   "The program's link command, for builds that have a finding "
                   "on lines of its own"};
  Text Captured{Command, "captured", "output",
                "Like --link-command, with the link that 'linesman capture' "
                "recorded for this output"};
  Text Links{Command, "links", "folder",
             "Folder of the captured links (linesman-links)"};
  Text Build{Command, "p", "folder",
             "Folder of compile_commands.json (., build): a patch, where a "
             "check knows one"};
  Text Fixed{Command, "fixed", "command",
             "Also measure this command, a build with the fix in its source"};
  Texts Expressions{
      Command, "at", "expression",
      "Also watch the heap object that this leads to: server->slots"};
  Flag Simulated{Command, "simulated",
                 "The metric is simulated: the story says so"};
  Number<unsigned> Top{Command, "top", "n",
                       "Link and compare at most this many findings (3)", 3};
  Seconds Duration{Command, "duration",
                   "Watch a command for at most this many seconds (20)"};
  Seconds TimeLimit{Command, "time-limit",
                    "Start no round after this many seconds (60)"};
  Text State{Command, "state", "folder",
             "Folder for the results of all steps (linesman-hunt)",
             "linesman-hunt"};
  Flag Resume{Command, "resume", "Continue from the folder of an earlier hunt"};
  DeliveryOptions Delivery{Command, Format::Text,
                           FindingsFormatOption::Also::Page};
};

Error checkOptions(const HuntOptions &Opts) {
  if (Error E = Opts.Pid.check(Opts.Program, "expected one program to hunt in"))
    return E;
  if (Error E = checkRegex("match", Opts.Match))
    return E;
  AbConfig Compared;
  if (Error E = chooseMetric(Opts.Metric, Opts.Match, Compared))
    return E;
  if (!Opts.Better.empty() && Opts.Better != "lower" && Opts.Better != "higher")
    return createStringError("--better=" + Opts.Better +
                             ": expected lower or higher");
  if (!Opts.LinkCommand.empty() && !Opts.Captured.empty())
    return createStringError("--link-command and --captured both name the "
                             "link");
  return joinErrors(Opts.Delivery.check(),
                    joinErrors(Opts.Duration.check(), Opts.TimeLimit.check()));
}

Expected<HuntRequest> readRequest(const HuntOptions &Opts) {
  HuntRequest Request;
  Expected<std::string> Program =
      findProgramFile(Opts.ProgramFile, Opts.Program, Opts.Pid);
  if (!Program)
    return Program.takeError();
  Request.Program = *Program;
  Request.Command.assign(Opts.Program.begin(), Opts.Program.end());
  if (Opts.Pid.getNumOccurrences())
    Request.Process = Opts.Pid;
  Request.Metric = Opts.Metric;
  Request.Match = Opts.Match;
  Request.Better = Opts.Better;
  Request.Probe = Opts.Probe;
  Request.IsCounter = findEvent(Opts.Metric) != nullptr;
  Request.LinkCommand = Opts.LinkCommand;
  Request.Captured = Opts.Captured;
  if (!Opts.Captured.empty())
    Request.Links =
        Opts.Links.empty() ? "linesman-links" : Opts.Links.getValue();
  Request.Fixed = Opts.Fixed;
  if (Error E = findHuntBuild(Opts.Build).moveInto(Request.Build))
    return std::move(E);
  Request.Expressions.assign(Opts.Expressions.begin(), Opts.Expressions.end());
  Request.MostCosted = Opts.Top;
  Request.IsSimulated = Opts.Simulated;
  if (Opts.Duration.getNumOccurrences())
    Request.WatchSeconds = Opts.Duration;
  if (Opts.TimeLimit.getNumOccurrences())
    Request.CompareSeconds = Opts.TimeLimit;
  if (Error E = completeRequest(Request))
    return std::move(E);
  if (Error E = openState(Opts.State,
                          Opts.Resume ? HuntBegin::Resumed : HuntBegin::Anew,
                          Request))
    return std::move(E);
  return Request;
}

Expected<int> deliver(const DeliveryOptions &Delivery,
                      const HuntRequest &Request, const HuntResult &Result) {
  Story Told;
  report::Findings Found;
  Found.Text = [&](const report::Comparison *Changes, raw_ostream &OS) {
    writeText(tellStory(Request, Result, Changes), textColumns(Delivery.Output),
              OS);
  };
  Found.Markdown = [&](const report::Comparison *Changes, raw_ostream &OS) {
    writeMarkdown(tellStory(Request, Result, Changes), OS);
  };
  Found.Json = [&](const report::Comparison *Changes, raw_ostream &OS) {
    Told = tellStory(Request, Result, Changes);
    writeJson(Request, Result, Told, OS);
  };
  Found.Html = [&](StringRef, raw_ostream &OS) {
    writeHtml(Told, OS);
    return Error::success();
  };
  Found.Whole = [&](raw_ostream &OS) { writeJudged(Request, Result, OS); };
  if (Result.best() || !Result.Culprits.empty())
    Found.Highest = Result.rung();
  return Delivery.deliver(Found);
}

} // namespace

Expected<int> runHunt(Arguments Args) {
  HuntOptions Opts;
  if (Error E = parseOptions(Args, Opts.Program))
    return std::move(E);
  if (Error E = checkOptions(Opts))
    return std::move(E);
  Expected<HuntRequest> Request = readRequest(Opts);
  if (!Request)
    return Request.takeError();
  if (Opts.ProgramFile.empty())
    if (std::string Note = describeProgram(Request->Program, Request->Command);
        !Note.empty())
      guard::PrintableStream(errs()) << "hunt: note: " << Note << '\n';

  EndRequests Requests;
  std::string Self = sys::fs::getMainExecutable(nullptr, nullptr);
  Expected<HuntResult> Result =
      drive::runHunt(*Request, [&](const Step &Action) -> Expected<StepEnd> {
        if (Requests.hasCome())
          return StepEnd::Stopped;
        errs() << "hunt: " << Action.Purpose << " (" << Action.Name << ")\n";
        return runOwnCommand(Action, Self, [&] { return Requests.hasCome(); });
      });
  if (!Result) {
    // It is ours alone, and holds nothing to go on from.
    if (!Opts.Resume)
      sys::fs::remove_directories(Request->State);
    return Result.takeError();
  }
  Expected<int> Code = deliver(Opts.Delivery, *Request, *Result);
  if (!Code)
    return Code.takeError();
  if (Result->IsStopped)
    return Failure;
  const FailOn &Fails = Opts.Delivery.Fails;
  // What lies in the file was seen, and is accepted.
  const bool IsAccepted =
      !Opts.Delivery.Baseline.empty() && Fails <= layout::Rung::Located;
  if (*Code == Success && Fails.isAsked() && !IsAccepted)
    if (std::string Reason = Result->whyBlind(Fails); !Reason.empty())
      return createStringError(Reason);
  return *Code;
}

} // namespace linesman::tool
