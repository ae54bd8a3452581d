// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two commands, run in turn until it can be told which is better:
//
//     warm up ─▶ A B ─▶ B A ─▶ A B ─▶ ... ─▶ look (8, 12, 18, ... rounds)
//                 │                            │
//                 └ a round that others        └ stop when it can tell, or
//                   disturbed does not count     when the time is over

#ifndef LINESMAN_DRIVE_AB_H
#define LINESMAN_DRIVE_AB_H

#include "linesman/Bisect/Compare.h"
#include "linesman/Drive/Stretch.h"
#include <optional>
#include <string>
#include <vector>

namespace linesman::drive {

enum class Metric : uint8_t {
  Time,   ///< Seconds from start to end.
  Output, ///< The last match of a regular expression.
  Exit,   ///< 0 is good, 125 does not count, up to 127 is bad.
  Events, ///< A counter.
};

struct AbConfig {
  StretchConfig A, B;
  Metric Measured = Metric::Time;
  /// Of Metric::Output.
  std::string Match;
  bisect::CompareConfig Compare;
  /// Seconds after which no round begins.
  double MostSeconds = 120;
  /// Counted rounds; 0 stops as soon as it can tell.
  unsigned Rounds = 0;
  /// Rounds that do not count, first.
  unsigned Warmup = 1;
  /// What to do with rounds that others disturbed, where the metric depends on
  /// time (Time, Output).
  enum class Disturbed : uint8_t {
    LeftOut,
    Counted,
    /// Left out; but when the time is over and the others do not tell, all
    /// rounds are looked at together. Waiting hides what sharing costs, and
    /// both commands wait alike: so a difference among all rounds is one where
    /// some undisturbed rounds say the same, and that there is none says
    /// nothing.
    LastResort,
  } Busy = Disturbed::LeftOut;
};

enum class StopReason : uint8_t {
  Decided,
  Rounds, ///< As many as were asked for.
  Time,
  Interrupted,
};

struct AbResult {
  std::vector<bisect::Round> Rounds;
  /// Of the rounds that count. BToA says nothing of Metric::Exit, whose values
  /// are 0 for good and 1 for bad, and of fewer than two rounds.
  bisect::Comparison Compared;
  /// Rounds left out because others kept a run waiting.
  std::vector<bisect::Round> Disturbed;
  /// Of Disturbed::LastResort: Rounds has those, too, and the difference is at
  /// least what it says.
  bool CountsDisturbed = false;
  /// Rounds left out because a run asked for it, with exit code 125.
  unsigned Skipped = 0;
  /// From the first round that is no warm-up to the end.
  double Seconds = 0;
  /// About how long the rounds that could tell would take, as fast as rounds
  /// came to count here; nothing where none could, or none counted.
  std::optional<double> secondsNeeded() const;
  StopReason Stop = StopReason::Decided;
};

/// The names of all counters, for people.
const std::string &counterNames();

/// Sets what is compared, and which is better: \p Name is time, output, exit or
/// a counter; where it is empty, output when there is a \p Match, else time.
/// Fails in the words of the options --metric and --match.
llvm::Error chooseMetric(llvm::StringRef Name, llvm::StringRef Match,
                         AbConfig &Config);

/// Sets the two commands: \p Command under \p Linesman run, as it is and with
/// \p Places (SELECTOR=NODE). Fails on a machine with one node.
llvm::Error comparePlacements(llvm::StringRef Linesman, llvm::StringRef Command,
                              llvm::ArrayRef<std::string> Places,
                              AbConfig &Config);

/// Of Disturbed::LastResort, where the rounds that nobody disturbed do not
/// tell: what all rounds tell together, as the look number \p Look. That is
/// that there is a difference, or, where the others have no ratio, what theirs
/// is; never that there is no difference. Of hundreds of rounds that were all
/// disturbed, one and the same command was 1.7 % faster than itself (p =
/// 0.0015): what disturbs may come in step with the rounds. So some rounds must
/// be undisturbed, and point where all do.
void lookAtAll(const AbConfig &Config, AbResult &Result, unsigned Look);

/// Runs both until it can tell. \p Tell has the result so far after each
/// round; \p IsUnwanted ends it early, with what is known by then. Fails when a
/// command does, and when its metric is not a positive number: nothing can be
/// said then.
llvm::Expected<AbResult> runAb(const AbConfig &Config,
                               llvm::function_ref<void(const AbResult &)> Tell,
                               llvm::function_ref<bool()> IsUnwanted);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_AB_H
