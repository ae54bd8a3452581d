// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The session of `linesman watch`: how long, with what, and the watching.

#ifndef LINESMAN_DRIVE_WATCHSESSION_H
#define LINESMAN_DRIVE_WATCHSESSION_H

#include "linesman/Drive/WatchInstrument.h"
#include "linesman/Drive/WatchSearch.h"
#include "linesman/Watch/Session.h"

namespace linesman::drive {

struct SessionPlan {
  InstrumentChoice Instrument = InstrumentChoice::Auto;
  /// Nothing: until there is a verdict on each target, within bounds that grow
  /// with their number.
  std::optional<double> Seconds;
  /// Without Seconds, as long as the process lives.
  bool IsUntilExit = false;
  /// Of its time that the process may lose.
  double BudgetFraction = 0.05;
};

watch::SessionOptions sessionOptions(const SessionPlan &Plan, size_t Targets,
                                     const watch::CanaryResult &Canary);

/// Watches the lines of \p Work. \p Program is released when the instrument
/// stands; null for a process that runs. What the reader must know goes to the
/// notes of \p Work.
llvm::Expected<watch::SessionResult>
watchTargets(process::ProcessId Process, const SessionPlan &Plan,
             Assignment &Work, process::Child *Program,
             llvm::function_ref<bool()> ShouldStop);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_WATCHSESSION_H
