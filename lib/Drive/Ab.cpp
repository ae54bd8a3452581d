// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds of two commands.

#include "linesman/Drive/Ab.h"
#include "Clock.h"
#include "linesman/Bisect/Statistics.h"
#include "linesman/Drive/OutputNumber.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace linesman::bisect;

namespace linesman::drive {

namespace {

/// As `git bisect run` has it.
constexpr int SkipCode = 125;

/// What one run gave.
struct Measured {
  double Value = 0;
  bool IsDisturbed = false, IsSkipped = false;
};

Error describeFailure(const StretchConfig &Config, const Stretch &Run) {
  StringRef Owner = Config.Probe.empty() ? "the command" : "the probe";
  const std::string &Command =
      Config.Probe.empty() ? Config.Command : Config.Probe;
  if (Run.Signal)
    return createStringError(formatv("{0} was killed by signal {1}: '{2}'",
                                     Owner, *Run.Signal, Command));
  return createStringError(formatv("{0} failed with exit code {1}: '{2}'",
                                   Owner, Run.ExitCode, Command));
}

Expected<double> readMetric(const AbConfig &Config,
                            const StretchConfig &Setting, const Stretch &Run) {
  if (Run.Signal || Run.ExitCode > 127)
    return describeFailure(Setting, Run);
  if (Config.Measured == Metric::Exit)
    return Run.ExitCode == 0 ? 0 : 1;
  if (Run.ExitCode != 0)
    return describeFailure(Setting, Run);
  double Value = 0;
  switch (Config.Measured) {
  case Metric::Time:
    Value = Run.Seconds;
    break;
  case Metric::Events:
    Value = double(Run.Events.value_or(0));
    break;
  case Metric::Output: {
    Expected<double> Number = readNumber(Run.Output, Config.Match);
    if (!Number)
      return createStringError(toString(Number.takeError()) + ": '" +
                               Setting.Command + "'");
    Value = *Number;
    break;
  }
  case Metric::Exit:
    llvm_unreachable("has no number");
  }
  // No ratio can be formed of others; this also refuses nan.
  if (!(Value > 0) || !std::isfinite(Value))
    return createStringError(formatv(
        "expected a metric above 0, got {0}: '{1}'", Value, Setting.Command));
  return Value;
}

/// Nothing when it became unwanted.
Expected<std::optional<Measured>> measure(const AbConfig &Config,
                                          const StretchConfig &Setting,
                                          function_ref<bool()> IsUnwanted) {
  Expected<std::optional<Stretch>> Run = runStretch(Setting, IsUnwanted);
  if (!Run)
    return Run.takeError();
  if (!*Run)
    return std::nullopt;
  Measured Result;
  Result.IsDisturbed =
      isDisturbed(**Run, Config.Measured == Metric::Time ? WaitBase::Elapsed
                                                         : WaitBase::Ready);
  Result.IsSkipped = !(*Run)->Signal && (*Run)->ExitCode == SkipCode;
  if (Result.IsSkipped)
    return Result;
  Expected<double> Value = readMetric(Config, Setting, **Run);
  if (!Value)
    return Value.takeError();
  Result.Value = *Value;
  return Result;
}

/// Waiting changes neither whether a command is good nor what it counts.
bool dependsOnTime(Metric Measured) {
  return Measured == Metric::Time || Measured == Metric::Output;
}

/// Runs both, and counts the round where it counts. False when it became
/// unwanted.
Expected<bool> runRound(const AbConfig &Config, AbResult &Result,
                        Round::Order First, function_ref<bool()> IsUnwanted) {
  Measured Values[2];
  bool AFirst = First == Round::Order::AFirst;
  for (bool IsA : {AFirst, !AFirst}) {
    Expected<std::optional<Measured>> One =
        measure(Config, IsA ? Config.A : Config.B, IsUnwanted);
    if (!One)
      return One.takeError();
    if (!*One)
      return false;
    Values[IsA ? 0 : 1] = **One;
  }
  bool IsDisturbed = Config.Busy != AbConfig::Disturbed::Counted &&
                     dependsOnTime(Config.Measured) &&
                     (Values[0].IsDisturbed || Values[1].IsDisturbed);
  if (Values[0].IsSkipped || Values[1].IsSkipped)
    ++Result.Skipped;
  else
    (IsDisturbed ? Result.Disturbed : Result.Rounds)
        .push_back({Values[0].Value, Values[1].Value, First});
  return true;
}

Comparison look(const AbConfig &Config, ArrayRef<Round> Rounds, unsigned Look) {
  if (Config.Measured == Metric::Exit)
    return compareOutcomes(Rounds, Look);
  if (Rounds.size() < 2)
    return {};
  return compare(Rounds, Look, Config.Compare);
}

/// Whether B's metric is above A's by the median of the ratios.
bool isAbove(ArrayRef<Round> Rounds) {
  std::vector<double> Ratios;
  for (const Round &R : Rounds)
    Ratios.push_back(R.B / R.A);
  return median(Ratios) > 1;
}

} // namespace

void lookAtAll(const AbConfig &Config, AbResult &Result, unsigned Look) {
  if (Config.Busy != AbConfig::Disturbed::LastResort ||
      Result.Disturbed.empty() || Result.Compared.Verdict != Answer::CannotTell)
    return;
  std::vector<Round> All = Result.Rounds;
  All.insert(All.end(), Result.Disturbed.begin(), Result.Disturbed.end());
  Comparison Compared = look(Config, All, Look);
  if (Result.Rounds.size() < 2) {
    Compared.Verdict = Answer::CannotTell;
    // Of disturbed rounds no number could.
    Compared.Reason = Doubt::Noise;
    Compared.RoundsNeeded = 0;
  } else if ((Compared.Verdict != Answer::Faster &&
              Compared.Verdict != Answer::Slower) ||
             isAbove(Result.Rounds) != isAbove(All)) {
    return;
  }
  Result.Rounds = std::move(All);
  Result.Compared = Compared;
  Result.CountsDisturbed = true;
}

std::optional<double> AbResult::secondsNeeded() const {
  if (!Compared.RoundsNeeded || Rounds.empty())
    return std::nullopt;
  return Seconds / double(Rounds.size()) * Compared.RoundsNeeded;
}

Expected<AbResult> runAb(const AbConfig &Config,
                         function_ref<void(const AbResult &)> Tell,
                         function_ref<bool()> IsUnwanted) {
  AbResult Result;
  // A caller who fixes the number of rounds looks once.
  unsigned Looks = 0;
  Clock::time_point Begin = Clock::now();
  auto isTimeOver = [&] { return secondsSince(Begin) > Config.MostSeconds; };
  Clock::time_point FirstCounted = Begin;
  for (unsigned Started = 0;; ++Started) {
    bool IsWarmup = Started < Config.Warmup;
    AbResult Thrown;
    Expected<bool> IsWhole = runRound(
        Config, IsWarmup ? Thrown : Result,
        Started % 2 ? Round::Order::BFirst : Round::Order::AFirst, IsUnwanted);
    if (!IsWhole)
      return IsWhole.takeError();
    if (!*IsWhole) {
      Result.Stop = StopReason::Interrupted;
      break;
    }
    if (IsWarmup) {
      FirstCounted = Clock::now();
      continue;
    }
    Result.Seconds = secondsSince(FirstCounted);
    unsigned Aim = Config.Rounds ? Config.Rounds : roundsAtLook(Looks);
    bool IsNew = Result.Rounds.size() == Aim;
    if (IsNew) {
      Result.Compared = look(Config, Result.Rounds, Looks++);
      Tell(Result);
      if (Config.Rounds) {
        Result.Stop = StopReason::Rounds;
        return Result;
      }
      if (Result.Compared.Verdict != Answer::CannotTell)
        return Result;
      // What was seen just now is the last word: another look at the same
      // rounds would spend error for nothing.
      if (isTimeOver()) {
        Result.Stop = StopReason::Time;
        lookAtAll(Config, Result, Looks);
        return Result;
      }
      continue;
    }
    Tell(Result);
    if (isTimeOver()) {
      Result.Stop = StopReason::Time;
      break;
    }
  }
  Result.Compared = look(Config, Result.Rounds, Looks++);
  lookAtAll(Config, Result, Looks);
  return Result;
}

} // namespace linesman::drive
