// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WatchOptions.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::watch;

namespace linesman::tool {

/// It asks for one thing.
static Error checkChoice(const WatchOptions &Opts) {
  const unsigned Places = !Opts.Address.empty() + !Opts.Expression.empty();
  const unsigned Objects = !Opts.Symbol.empty() + Places;
  // A finding of a type is watched in an object.
  bool IsOfType = !Opts.Finding.empty() && Opts.Symbol.empty();
  if (Objects > 1 || (Objects + !Opts.Report.empty() != 1 && !IsOfType))
    return createStringError("expected one thing to watch: --symbol, "
                             "--address, --at or --report");
  if (!Opts.Type.empty() && !Opts.Report.empty())
    return createStringError("--type and --report: the finding names its type");
  if (!Opts.Type.empty() && !Places)
    return createStringError("--type needs the object: --address or --at");
  if (!Opts.Finding.empty() && Opts.Report.empty())
    return createStringError("--finding needs the --report that it is in");
  return Error::success();
}

Error WatchOptions::check() const {
  if (Error E = Pid.check(Program, "expected one process to watch"))
    return E;
  if (Error E = checkChoice(*this))
    return E;
  if (LineSize != OneLine && LineSize != LinePair)
    return createStringError(formatv("--line-size={0}: expected {1} or {2}",
                                     unsigned(LineSize), OneLine, LinePair));
  if (!(Budget > 0 && Budget <= 100))
    return createStringError("--budget: expected a percentage above 0");
  if (Report.empty())
    if (Error E = Delivery.Fails.checkReach(layout::Rung::Observed,
                                            "a watch without --report"))
      return E;
  if (!(Wait >= 0))
    return createStringError("--wait: expected seconds");
  return joinErrors(Duration.check(), Delivery.check());
}

WatchRequest WatchOptions::request() const {
  WatchRequest Request;
  Request.Object = {Symbol, Address, Expression, Type};
  Request.Report = Report;
  Request.Finding = Finding;
  Request.Top = Top;
  if (LineSize.getNumOccurrences())
    Request.LineSize = LineSize;
  Request.Wait = Wait;
  Request.AwaitsLibraries = Wait.getNumOccurrences();
  return Request;
}

SessionPlan WatchOptions::plan() const {
  SessionPlan Plan;
  Plan.Instrument = Instrument;
  if (Duration.getNumOccurrences())
    Plan.Seconds = Duration;
  Plan.IsUntilExit = !Program.empty();
  Plan.BudgetFraction = Budget / 100;
  return Plan;
}

Error WatchOptions::offerWait(Error Problem) const {
  Error Same = Error::success();
  const Refusal Reason = reasonOf(std::move(Problem), Same);
  // A process that runs already has loaded what it needs.
  if (Reason != Refusal::NotLoaded || Program.empty() ||
      Wait.getNumOccurrences())
    return Same;
  return createStringError(
      toString(std::move(Same)) +
      "; --wait=SECONDS waits for a library that is loaded later");
}

} // namespace linesman::tool
