// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman watch: attach or start, check, aim, watch, name, print.

#include "Commands.h"
#include "WatchOptions.h"
#include "linesman/Drive/WatchReport.h"
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

Expected<int> runWatch(Arguments Args) {
  WatchOptions Opts;
  if (Error E = parseOptions(Args, Opts.Program))
    return std::move(E);
  if (Error E = Opts.check())
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
      findAssignment(Opts.request(), Process, Program ? &*Program : nullptr,
                     [&] { return Ends->hasCome(); });
  if (!Work)
    return Opts.offerWait(Work.takeError());
  Expected<SessionResult> Session =
      watchTargets(Process, Opts.plan(), *Work, Program ? &*Program : nullptr,
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
