// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A watching session: rotates an instrument over words, threads and lines until
// the time is over, within the budget, and survives whatever the process does.
//
//     canary ok
//       -> threads now -> batch -> prepare -> [ arm, wait, disarm, charge ]*
//       --+
//            ^ |
//            +------------ next batch, new threads, process still there?
//            <-----+

#ifndef LINESMAN_WATCH_SESSION_H
#define LINESMAN_WATCH_SESSION_H

#include "linesman/Process/Ids.h"
#include "linesman/Process/Modules.h"
#include "linesman/Watch/AccessRates.h"
#include "linesman/Watch/CatchCallers.h"
#include "linesman/Watch/Evidence.h"
#include "linesman/Watch/Instrument.h"
#include "linesman/Watch/Schedule.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <optional>
#include <string>

namespace linesman::watch {

struct SessionOptions {
  /// Seconds to watch at least, and at most: between them the session ends as
  /// soon as there is a verdict on each line.
  double Duration = 2;
  double MostDuration = 2;
  /// Fraction of its time that the target may lose.
  double BudgetFraction = 0.05;
  /// Accesses of one thread to one range in one step. 10 hits x 8 words x 2
  /// kinds stop a thread for about 2 ms.
  unsigned Hits = 10;
  /// Seconds that one hit costs, from the canary.
  double SecondsPerHit = 15e-6;
  /// Of an instrument whose hits have a known time: then rates are estimated.
  std::optional<HitCost> Cost;
  /// Of an instrument that leaves debug registers of threads free when it has
  /// none prepared, on a kernel that gives stacks: then callers of libraries
  /// are looked for.
  bool FindsCallers = false;
  /// Of the process, as far as they are known: their files are open.
  process::ModuleMap Modules;
};

/// How a session ended.
enum class EndReason : uint8_t {
  TimeOver,
  Interrupted,
  Exited,
  Executed,
  /// The instrument failed in the middle.
  Failed
};

struct LineResult {
  Line Watched;
  SharingMatrix Matrix;
  /// Other processes may have the memory as well, and nobody watches those.
  bool IsShared = false;
  /// Threads that were seen could not be elsewhere on the line as well; without
  /// that, of a shared line is not known in which way it is shared.
  bool IsKindKnown = true;
  /// Of the absences that its verdict stands on: of stores where only reads
  /// were seen, of accesses by others where one thread was.
  Certainty Absent;
  /// Nothing was missed, as in a record: no probability is needed.
  bool IsComplete = false;
  /// Of all threads that were met here; empty where it cannot be told, and why.
  std::vector<LineRate> Rates;
  std::string WhyNoRates;

  /// What is certain. For `not-seen`, `private` and `read-only` it says what
  /// was seen; means() says whether that is all there is.
  Verdict says() const;
  Outcome means() const;
};

struct SessionResult {
  std::vector<LineResult> Lines;
  /// Of all threads that were met, also of those that have ended.
  std::map<process::ThreadId, std::string> ThreadNames;
  /// The part of its time for which each of them ran since it was met, without
  /// the time for which it waited for a processor.
  std::map<process::ThreadId, double> Running;
  /// Of instructions of libraries; of some, where time allows.
  CallerCounts Callers;
  /// What was mapped where, for symbolising sites after the process is gone.
  process::ModuleMap Modules;
  EndReason End = EndReason::TimeOver;
  /// Of a session that failed: why.
  std::string Problem;
  /// Seconds watched.
  double Elapsed = 0;
  /// How often every word was watched, on every batch of threads.
  unsigned Turns = 0;
  /// Different threads that were there, that were watched, that could not be
  /// because their debug registers are taken, and that were not watched
  /// although they ran: the time was too short for all.
  unsigned ThreadsMet = 0;
  unsigned ThreadsWatched = 0;
  unsigned ThreadsTaken = 0;
  unsigned ThreadsLeftOut = 0;
  /// Samples that the kernel dropped.
  uint64_t Lost = 0;
  /// The process was found stopped at least once.
  bool WasStopped = false;
  /// Seconds that the target has lost, by the budget's count.
  double Spent = 0;
};

/// Watches \p Lines of \p Process with \p Tool. \p ShouldStop is asked between
/// steps. Fails when nothing could be watched at all; a process that exits or
/// executes another program, and an instrument that fails later, end the
/// session early, with what was seen.
llvm::Expected<SessionResult> watchLines(process::ProcessId Process,
                                         llvm::ArrayRef<Line> Lines,
                                         const SessionOptions &Options,
                                         Instrument &Tool,
                                         llvm::function_ref<bool()> ShouldStop);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_SESSION_H
