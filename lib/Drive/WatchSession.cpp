// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/WatchSession.h"
#include "llvm/ADT/STLExtras.h"
#include <sys/resource.h>

using namespace llvm;
using namespace linesman::watch;

namespace linesman::drive {

/// Of one target, and of each further one.
static constexpr double FirstSeconds = 2, NextSeconds = 1;
/// Where it was not said how long: until there is a verdict, and at most so
/// much longer than that.
static constexpr double PatienceFactor = 8;
/// Longer than any program runs that somebody waits for.
static constexpr double UntilExit = 1e9;

SessionOptions sessionOptions(const SessionPlan &Plan, size_t Targets,
                              const CanaryResult &Canary) {
  assert(Targets && "nothing to watch");
  SessionOptions Session;
  Session.Duration = FirstSeconds + NextSeconds * double(Targets - 1);
  Session.MostDuration = PatienceFactor * Session.Duration;
  if (Plan.Seconds)
    Session.Duration = Session.MostDuration = *Plan.Seconds;
  else if (Plan.IsUntilExit)
    Session.Duration = Session.MostDuration = UntilExit;
  Session.BudgetFraction = Plan.BudgetFraction;
  Session.SecondsPerHit = Canary.SecondsPerHit;
  return Session;
}

Expected<SessionResult> watchTargets(process::ProcessId Process,
                                     const SessionPlan &Plan, Assignment &Work,
                                     process::Child *Program,
                                     function_ref<bool()> ShouldStop) {
  // Where a thousand threads want the processor, linesman's turn would come
  // every few seconds. Only root may do this, and the budget still counts what
  // linesman uses.
  ::setpriority(PRIO_PROCESS, 0, -20);
  Expected<ProvenInstrument> Proven = proveInstrument(
      Plan.Instrument, Process, Work.Targets.front().Lines.front().Address);
  if (!Proven)
    return Proven.takeError();
  if (!Proven->Note.empty())
    Work.Notes.push_back(Proven->Note);
  std::vector<Line> Lines;
  for (const WatchTarget &T : Work.Targets)
    append_range(Lines, T.Lines);
  if (Program)
    Program->release();
  SessionOptions Options =
      sessionOptions(Plan, Work.Targets.size(), Proven->Canary);
  Options.Cost = Proven->Cost;
  Options.FindsCallers = Proven->Tool->name() == "perf";
  Options.Modules = Work.Modules;
  return watchLines(Process, Lines, Options, *Proven->Tool, ShouldStop);
}

} // namespace linesman::drive
