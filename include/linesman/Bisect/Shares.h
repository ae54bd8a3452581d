// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each of several culprits costs, from all windows whose state is known,
// together:
//
//     value = local + drift * window + the costs of what is remote + noise
//
// One fit, so that shares add up to the whole, and a machine that has become
// slower between the first culprit's windows and the last one's does not give
// the last a larger share. Robust (bisquare weights, begun from least absolute
// deviations): a window in which the program showed the other state counts
// nothing, and is counted.

#ifndef LINESMAN_BISECT_SHARES_H
#define LINESMAN_BISECT_SHARES_H

#include <optional>
#include <span>
#include <vector>

namespace linesman::bisect {

struct KnownWindow {
  /// Its number in the search; drift is linear in it.
  double Number = 0;
  /// Which culprits were remote.
  std::vector<bool> Remote;
  /// Whether all other candidates were; else none of them was.
  bool Rest = false;
  double Value = 0;
};

struct Shares {
  /// At window 0.
  double Local = 0;
  /// For each window; 0 unless it is three standard errors away from that.
  double Drift = 0;
  /// Of each culprit, and of all other candidates.
  std::vector<double> Costs;
  double Rest = 0;
  /// For each window, whether it is too far from the fit to belong to its
  /// state.
  std::vector<bool> IsStray;

  double whole() const;
};

/// Nothing where the windows do not determine the costs. \p Spread is a
/// window's standard deviation, as far as it is known.
std::optional<Shares> fitShares(std::span<const KnownWindow> Windows,
                                size_t Culprits, double Spread);

} // namespace linesman::bisect

#endif // LINESMAN_BISECT_SHARES_H
