// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small samples of a noisy metric, robustly: medians, because one window in
// which the machine did something else must not decide; exact permutation,
// because five against five is too few for any approximation.

#ifndef LINESMAN_BISECT_STATISTICS_H
#define LINESMAN_BISECT_STATISTICS_H

#include <span>
#include <vector>

namespace linesman::bisect {

/// Of at least one value.
double median(std::vector<double> Values);

/// The common spread of two samples around their own medians, as a standard
/// deviation: the root mean square of the deviations without the largest fifth,
/// which outliers may have. Rejected: the median absolute deviation, which
/// from 5 + 5 values is too small by half in one sample of ten.
double pooledSpread(std::span<const double> A, std::span<const double> B);

/// Density of Student's t with 4 degrees of freedom at (X - Center) / Scale,
/// divided by Scale. Four: what ten calibration windows leave after two
/// centres and a spread, rounded down, for heavier tails.
double studentDensity(double X, double Center, double Scale);

/// Whether \p A would be so far above \p B (below, for Sign < 0) if the labels
/// meant nothing: the part of all splits of the pooled values whose difference
/// of means is at least the observed one. Exact up to 12 + 12 values.
double permutationP(std::span<const double> A, std::span<const double> B,
                    double Sign);

struct Interval {
  double Low = 0, High = 0;
};

/// By how much \p B is above \p A, so that it is wrong in at most 5 of 100
/// samples: the shifts that the rank-sum test (exact, two-sided) does not
/// reject. Nothing is assumed of the noise but that it is the same in both. At
/// least 4 + 4 values; fewer can reject nothing.
Interval shiftInterval(std::span<const double> A, std::span<const double> B);

/// The same for parts of 0s and 1s: Newcombe's interval from Wilson's scores
/// (Statistics in Medicine 17, 1998).
Interval partInterval(std::span<const double> A, std::span<const double> B);

} // namespace linesman::bisect

#endif // LINESMAN_BISECT_STATISTICS_H
