// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two variants, measured in turn: which one is better, and by how much?
//
//     round   1     2     3     4
//            A B   B A   A B   B A        the order alternates
//     ratio  B/A   B/A   B/A   B/A        paired: slow drift is in both halves
//
// What the order does to a pair (drift within it) is estimated from the two
// orders and taken out. The estimate is the median of the ratios, with a
// bootstrap interval. The test is the exact distribution of the signed ranks
// under exchange of the two names in each pair, which needs no assumption
// about the noise.
//
// Where starts fall into one of two levels, a median says little: the variants
// are compared by how many of their starts fall into each, too (Levels.h):
//
//     ratio    interval beyond the margin, p    faster, slower  \
//     shares   interval beyond the margin, p    faster, slower   > must agree
//     both     interval within the margin       no difference   /
//
// and that there is no second level is only believed after enough rounds.
//
// Whoever looks at the data again and again, and stops when it pleases, is
// fooled more often than each look says. The k-th look therefore spends
// 0.05 * 6 / (pi k)^2 of the error, which adds up to 0.05 over all looks.

#ifndef LINESMAN_BISECT_COMPARE_H
#define LINESMAN_BISECT_COMPARE_H

#include "linesman/Bisect/Levels.h"
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace linesman::bisect {

/// One pair of measurements, in the metric's own unit.
struct Round {
  double A = 0, B = 0;
  enum class Order : uint8_t { AFirst, BFirst } First = Order::AFirst;
};

enum class Better : uint8_t {
  Lower,  ///< Times, counts of events.
  Higher, ///< Throughput.
};

enum class Answer : uint8_t {
  Faster,       ///< B is better than A, by more than the margin.
  Slower,       ///< B is worse than A, by more than the margin.
  NoDifference, ///< The interval lies within the margin around 1.
  CannotTell,   ///< Not yet, or never with this noise.
};

/// B's value divided by A's: the median and a 95 % interval.
struct Ratio {
  double Median = 1, Low = 1, High = 1;
};

struct CompareConfig {
  Better Direction = Better::Lower;
  /// A difference of less than this part is none: 0.02 is 2 %.
  double Margin = 0.02;
};

/// What a verdict of a difference rests on.
enum class Basis : uint8_t {
  Ratio,
  Shares, ///< How many starts fall into which level.
};

/// Why it cannot tell.
enum class Doubt : uint8_t {
  Noise,       ///< The interval is too wide.
  UnseenLevel, ///< Too few rounds to exclude that starts fall into levels.
  Shares,      ///< They do, and how many do may be chance.
  Contrary,    ///< The ratio says one thing, and the levels the other.
};

struct Comparison {
  Answer Verdict = Answer::CannotTell;
  Basis Ground = Basis::Ratio;
  Doubt Reason = Doubt::Noise;
  Ratio BToA;
  /// Two-sided, exact; of what the verdict rests on.
  double P = 1;
  unsigned Rounds = 0;
  /// How much the second half of a pair is above the first, as a ratio.
  double OrderEffect = 1;
  std::optional<Clusters> ClustersA, ClustersB;
  /// The levels in common, also where but one round is in the other one.
  std::optional<LevelSplit> Split;
  /// When it cannot tell: about how many rounds could, all in all; 0 where no
  /// number could.
  unsigned RoundsNeeded = 0;
};

/// The numbers of rounds after which to look: 8, 12, 18, 27, ...; the first is
/// \p Look 0.
unsigned roundsAtLook(unsigned Look);

/// The error that the look number \p Look (from 0) may spend.
double errorAtLook(unsigned Look);

/// Whether a comparison of ratios is possible: all values are positive.
bool hasRatios(std::span<const Round> Rounds);

/// Compares after look number \p Look. All values must be positive, and there
/// must be at least two rounds.
Comparison compare(std::span<const Round> Rounds, unsigned Look,
                   const CompareConfig &Config);

/// The same for values that are 0 for good and 1 for bad: a sign test of the
/// rounds in which the two differ. It has no ratio, and never says that there
/// is no difference.
Comparison compareOutcomes(std::span<const Round> Rounds, unsigned Look);

/// Two-sided exact p of the signed ranks of \p Differences; zeros are left
/// out, ties share their ranks. 1 without differences.
double signedRankP(std::span<const double> Differences);

} // namespace linesman::bisect

#endif // LINESMAN_BISECT_COMPARE_H
