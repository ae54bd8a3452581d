// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman watch: attach or start, check, aim, watch, name, print.

#include "Commands.h"
#include "Deliver.h"
#include "SharedOptions.h"
#include "linesman/Drive/WatchReport.h"
#include "linesman/Drive/WatchSession.h"
#include "linesman/Guard/Output.h"
#include "linesman/Process/Signals.h"
#include "linesman/Watch/Watchable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::process;
using namespace linesman::watch;

namespace linesman::tool {

namespace {

constexpr double DefaultBudgetPercent = 5;
constexpr double DefaultWait = 10;

struct Options {
  cl::SubCommand Command{"watch"};
  Rest Program{Command, "[-- COMMAND...]"};
  PidOption Pid{Command, "Watch this process"};
  Text Symbol{Command, "symbol", "name[+offset]", "Watch this object's lines"};
  Text Address{Command, "address", "address",
               "Watch the line of this run-time address"};
  Text Expression{
      Command, "at", "expression",
      "Watch the object that a global leads to: server->slots[3].lock"};
  Text Type{Command, "type", "T::field",
            "Watch this field of the object at --address or --at"};
  Text Report{Command, "report", "file", "Findings of another command (JSON)"};
  Text Finding{Command, "finding", "id", "Watch this finding of --report"};
  Number<unsigned> Top{Command, "top", "n",
                       "Watch the first findings of --report (10)", 10};
  Seconds Duration{Command, "duration",
                   "Seconds to watch (2, 1 more for each further finding, and "
                   "up to eight times as long until there is a verdict; with a "
                   "command: until it exits)"};
  Number<double> Budget{Command, "budget", "percent",
                        "How much the target may be slowed, in percent (5)",
                        DefaultBudgetPercent};
  Number<double> Wait{
      Command, "wait", "seconds",
      "Seconds to wait for a thread that uses an object of a type's finding "
      "(10); with a command also for pointers in --at to become non-null and, "
      "if given, for a library that is loaded later",
      DefaultWait};
  Choice<InstrumentChoice> Instrument{
      Command,
      "instrument",
      "What sees accesses",
      {{"auto", InstrumentChoice::Auto,
        "perf, and ptrace where perf is refused (default)"},
       {"perf", InstrumentChoice::Perf, "perf_event_open"},
       {"ptrace", InstrumentChoice::Ptrace, "debug registers by ptrace"}},
      InstrumentChoice::Auto};
  Number<unsigned> LineSize{Command, "line-size", "bytes",
                            "Bytes of a cache line: 64 or 128 (64)", OneLine};
  DeliveryOptions Delivery{Command, Format::Text,
                           FindingsFormatOption::Also::Nothing};
};

WatchRequest requestOf(const Options &Opts) {
  WatchRequest Request;
  Request.Object = {Opts.Symbol, Opts.Address, Opts.Expression, Opts.Type};
  Request.Report = Opts.Report;
  Request.Finding = Opts.Finding;
  Request.Top = Opts.Top;
  if (Opts.LineSize.getNumOccurrences())
    Request.LineSize = Opts.LineSize;
  Request.Wait = Opts.Wait;
  Request.AwaitsLibraries = Opts.Wait.getNumOccurrences();
  return Request;
}

Error checkOptions(const Options &Opts) {
  if (Error E = Opts.Pid.check(Opts.Program, "expected one process to watch"))
    return E;
  if (Error E = requestOf(Opts).check())
    return E;
  if (Opts.LineSize != OneLine && Opts.LineSize != LinePair)
    return createStringError(formatv("--line-size={0}: expected {1} or {2}",
                                     unsigned(Opts.LineSize), OneLine,
                                     LinePair));
  if (!(Opts.Budget > 0 && Opts.Budget <= 100))
    return createStringError("--budget: expected a percentage above 0");
  if (Opts.Report.empty())
    if (Error E = Opts.Delivery.Fails.checkReach(layout::Rung::Observed,
                                                 "a watch without --report"))
      return E;
  if (!(Opts.Wait >= 0))
    return createStringError("--wait: expected seconds");
  return joinErrors(Opts.Duration.check(), Opts.Delivery.check());
}

SessionPlan sessionPlan(const Options &Opts) {
  SessionPlan Plan;
  Plan.Instrument = Opts.Instrument;
  if (Opts.Duration.getNumOccurrences())
    Plan.Seconds = Opts.Duration;
  Plan.IsUntilExit = !Opts.Program.empty();
  Plan.BudgetFraction = Opts.Budget / 100;
  return Plan;
}

} // namespace

Expected<int> runWatch(Arguments Args) {
  Options Opts;
  if (Error E = parseOptions(Args, Opts.Program))
    return std::move(E);
  if (Error E = checkOptions(Opts))
    return std::move(E);

  std::optional<Child> Program;
  if (!Opts.Program.empty()) {
    Expected<Child> Started = launch(Opts.Program, Begin::AtRelease);
    if (!Started)
      return Started.takeError();
    Program.emplace(std::move(*Started));
  }
  // Not before the launch: the program would not ignore what we ignored.
  std::optional<EndRequests> Ends(std::in_place);
  ProcessId Process = Program ? Program->process() : ProcessId{Opts.Pid};
  // One of our own stands still, which is no reason to refuse it.
  if (!Program)
    if (Error E = checkWatchable(Process))
      return std::move(E);
  Expected<Assignment> Work =
      findAssignment(requestOf(Opts), Process, Program ? &*Program : nullptr,
                     [&] { return Ends->hasCome(); });
  if (!Work)
    return Work.takeError();
  Expected<SessionResult> Session = watchTargets(
      Process, sessionPlan(Opts), *Work, Program ? &*Program : nullptr,
      [&] { return Ends->hasCome(); });
  if (!Session)
    return Session.takeError();
  Program.reset();
  Ends.reset();

  // Naming costs processor time, so it comes after the watching.
  report::Findings Found;
  std::vector<WatchedLine> Seen = describeLines(*Session, *Work, Found.Highest);
  std::vector<std::string> Notes = Work->Notes;
  llvm::append_range(Notes, sessionNotes(*Session));

  Found.Text = [&](const report::Comparison *, raw_ostream &OS) {
    writeWatchText(Seen, *Session, Notes, OS);
  };
  Found.Json = [&](const report::Comparison *, raw_ostream &OS) {
    OS << formatv("{0:2}\n", Work->Report
                                 ? Work->Report->value()
                                 : toWatchJson(Seen, Notes, Opts.LineSize));
  };
  Expected<int> Code = Opts.Delivery.deliver(Found);
  if (Code && *Code == Success && Opts.Delivery.Fails.isAsked())
    if (Error E = checkDecided(Seen))
      Code = std::move(E);
  if (Session->End != EndReason::Failed)
    return Code;
  return joinErrors(Code.takeError(), createStringError(Session->Problem));
}

} // namespace linesman::tool
