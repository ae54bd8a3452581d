// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Noisy binary search as inference: a probability for every candidate, and
// each window asks about the prefix that holds half of it.
//
//     candidates   0 1 2 3 4 5 6 7 ...
//     probability  . . : | : . . .
//     remote       ########            "is the first culprit in there?"
//
// Prefixes, not arbitrary halves: with several culprits the answer is then
// still monotone, and the search finds the first of them. The bound for any
// method is (log2 n + log2 1/delta + 3) / I(p) windows (Dereniowski,
// Lukasiewicz, Uznanski, arXiv 2107.05753; Karp and Kleinberg, SODA 2007).

#ifndef LINESMAN_BISECT_POSTERIOR_H
#define LINESMAN_BISECT_POSTERIOR_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace linesman::bisect {

/// Position of a candidate (a page, or a symbol of an exploded one).
using CandidateIndex = uint32_t;

/// How often a window shows the other state's value. Not known, so it is
/// inferred together with the culprit, over this grid.
struct FlipRates {
  std::vector<double> Rates;
  std::vector<double> Weights;

  /// Rates from 1 to 30 %, the small ones more likely.
  static FlipRates unknown();
  static FlipRates known(double Rate) { return {{Rate}, {1}}; }
};

/// Densities of one window's value if a culprit was remote, and if none was.
struct Likelihood {
  double Bad = 0, Good = 0;
};

struct Guess {
  CandidateIndex Candidate = 0;
  double Probability = 0;
};

class Posterior {
public:
  /// \p Prior: a weight above 0 for each candidate; they need not add to 1.
  Posterior(std::span<const double> Prior, FlipRates Flips);

  size_t size() const { return Count; }
  Guess best() const;
  /// How many of the first candidates to make remote next: the prefix with
  /// probability nearest to one half, from 1 to size() - 1.
  size_t nextCut() const;
  /// Probability that the first culprit is among the first \p Cut.
  double massBefore(size_t Cut) const;

  /// A window with the first \p Cut candidates remote.
  void updatePrefix(size_t Cut, Likelihood L);
  /// A window with one candidate remote.
  void updateSingle(CandidateIndex Only, Likelihood L);
  /// A window whose state is known (calibration): tells about the flips.
  void updateKnownBad(Likelihood L);

  double flipRate() const;

private:
  size_t Count;
  FlipRates Flips;
  /// Joint probability, by rate, then candidate.
  std::vector<double> Joint;
  /// Marginal over the rates, by candidate.
  std::vector<double> Marginal;

  template <typename IsBad> void update(Likelihood L, IsBad Bad);
};

} // namespace linesman::bisect

#endif // LINESMAN_BISECT_POSTERIOR_H
