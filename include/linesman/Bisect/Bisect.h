// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which candidate makes the metric worse when it is remote? Pure: it asks an
// oracle for windows and computes.
//
//     calibrate ─▶ search ─▶ confirm ─▶ others left? ─▶ search ... ─▶ result
//         │ too small to tell: refused, with what would help

#ifndef LINESMAN_BISECT_BISECT_H
#define LINESMAN_BISECT_BISECT_H

#include "linesman/Bisect/Posterior.h"
#include "linesman/Bisect/Statistics.h"
#include <optional>
#include <string>

namespace linesman::bisect {

enum class Stage : uint8_t {
  Calibrate,
  Search,
  Confirm,
  Whole, ///< All memory of the process, of which candidates are a part.
};

/// A half-open range of candidates.
struct CandidateRange {
  CandidateIndex Begin = 0, End = 0;
  friend bool operator==(CandidateRange, CandidateRange) = default;
};

/// A window to be measured: these candidates remote, all others local.
struct WindowRequest {
  Stage Purpose = Stage::Calibrate;
  /// Ascending, not touching.
  std::vector<CandidateRange> Remote;
  friend bool operator==(const WindowRequest &,
                         const WindowRequest &) = default;
};

enum class WindowState : uint8_t {
  Measured,
  Skipped, ///< No verdict (exit code 125).
  Stopped, ///< It can not go on: the program ended, the user interrupted.
};

struct WindowOutcome {
  WindowState State = WindowState::Measured;
  double Value = 0;
};

enum class Lengthening : uint8_t { Done, NotPossible };

class Oracle {
public:
  virtual ~Oracle();
  virtual WindowOutcome measure(const WindowRequest &Window) = 0;
  /// Asks for windows \p Factor times as long from here on.
  virtual Lengthening lengthen(double Factor);
};

enum class MetricKind : uint8_t {
  Number,
  Verdict, ///< 0 good, 1 bad.
};

struct Problem {
  /// A weight above 0 for each candidate: scores, pages that are written.
  std::vector<double> Prior;
  MetricKind Metric = MetricKind::Number;
  /// Where remote candidates make no difference, one pair of windows with all
  /// memory (Stage::Whole) tells whether the slow-down is elsewhere in it.
  bool AsksForWhole = false;
};

/// What calibration found.
struct Calibration {
  /// Medians with all candidates local, and all remote.
  double Local = 0, Remote = 0;
  /// Standard deviation of a window.
  double Spread = 0;
  /// |Remote - Local| / Spread. Above 4 the search is reliable, below 2
  /// hopeless (simulated: 98 %, and 84 % at 2).
  double effectOverSpread() const;
};

struct Culprit {
  CandidateIndex Candidate = 0;
  /// That it is the culprit, after the search.
  double Posterior = 0;
  /// That it alone would look so bad by chance: exact permutation.
  double P = 1;
  /// Its part of the whole slow-down, from 0 to 1. Of a number that of all
  /// culprits is estimated together, so that with what is left they add up to
  /// 1; of a verdict, what it does alone.
  double Explains = 0;
  /// Medians with it alone remote, and with all but it (and but the culprits
  /// before it) remote.
  double Alone = 0, AllBut = 0;
};

enum class Verdict : uint8_t {
  /// At least one culprit is confirmed; nothing is left to explain.
  Found,
  /// Some are confirmed, and the rest of the slow-down has no one place.
  Partly,
  /// The effect is too small for the noise, and one that matters cannot be
  /// excluded.
  TooNoisy,
  /// Remote pages make no difference that matters: Result::Effect lies within
  /// Result::Margin.
  NoEffect,
  /// There is an effect, and no candidate could be confirmed.
  Undecided,
  Stopped,
};

struct WindowCounts {
  unsigned Calibrate = 0, Search = 0, Confirm = 0, Whole = 0, Skipped = 0;
  unsigned total() const {
    return Calibrate + Search + Confirm + Whole + Skipped;
  }
};

/// One window with all memory local, one with all remote.
struct WholePair {
  double Local = 0, Remote = 0;
};

struct Result {
  Verdict Outcome = Verdict::Undecided;
  Calibration Levels;
  std::vector<Culprit> Culprits;
  /// The most likely candidate when nothing is certain.
  std::optional<Guess> Suspect;
  WindowCounts Windows;
  /// Windows must be this much longer for a reliable answer; 1 when they are
  /// long enough.
  double LengthenBy = 1;
  double FlipRate = 0;
  /// Of the windows whose state is known, at the end of a search with
  /// culprits: how many there are, and how many did not look like their state.
  unsigned Judged = 0, Flipped = 0;
  /// Change of the metric in a window, which is taken out of Levels and of the
  /// culprits' levels; 0 where none is certain.
  double Drift = 0;
  /// With NoEffect and TooNoisy: what all candidates remote add to the metric,
  /// 95 %, and what would matter.
  Interval Effect;
  double Margin = 0;
  /// With NoEffect, where it was asked for and could be measured.
  std::optional<WholePair> Whole;
};

/// Follows the search, for a progress line.
class Progress {
public:
  virtual ~Progress();
  /// Before a window. \p Best is the most likely candidate so far.
  virtual void next(const WindowRequest &Window, const WindowCounts &Before,
                    Guess Best);
};

/// Deterministic: the same outcomes lead to the same requests, which is what
/// makes a log of windows enough to resume.
Result bisect(const Problem &Task, Oracle &Ask, Progress &Tell);

} // namespace linesman::bisect

#endif // LINESMAN_BISECT_BISECT_H
