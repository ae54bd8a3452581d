// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A metric that is not one number but one of two, as the luck of a start has
// it:
//
//     A   45 45 45 45 45 45 45 45           one level
//     B   45 45 17 45 45 45 17 45           two; the low one in 2 of 8 starts
//
// A median sees nothing of that, and few starts may all fall into one level.
// So levels are looked for, compared by how many starts fall into each, and
// their absence is only believed after enough starts.

#ifndef LINESMAN_BISECT_LEVELS_H
#define LINESMAN_BISECT_LEVELS_H

#include <optional>
#include <span>
#include <vector>

namespace linesman::bisect {

/// The levels of a variant that has two: for example "45 k and 17 k, starts
/// fall into either".
struct Clusters {
  double LowLevel = 0, HighLevel = 0;
  /// How many measurements are in each.
  unsigned LowCount = 0, HighCount = 0;
};

/// Two levels in \p Values, where the gap is far wider than either is: one
/// sample in a thousand of normal noise has some. Nothing below 8 values. Each
/// level has at least \p FewestOfCluster values; a level of one or two is but a
/// suspicion.
std::optional<Clusters> findClusters(std::span<const double> Values,
                                     unsigned FewestOfCluster = 3);

/// Two levels that two variants have in common.
struct LevelSplit {
  double LowLevel = 0, HighLevel = 0;
  /// Whether a value is in the high level: 0 or 1.
  std::vector<double> HighA, HighB;

  unsigned lowCountA() const;
  unsigned lowCountB() const;
  /// How many values are in the rarer level of their variant. Where A is all
  /// high and B all low, none: then the levels are the difference itself.
  unsigned rareCount() const;
};

/// Both variants' values, cut as one sample: which value is whose has no say
/// in where the cut is, so that a test of the two names stays exact. Nothing
/// when each variant is in one level.
std::optional<LevelSplit> splitLevels(std::span<const double> A,
                                      std::span<const double> B);

/// Whether a level with a fifth of the starts, or more, would have been seen
/// in more than \p Seen of \p Starts in nine samples of ten (in 19 of 20 a
/// level with a quarter): after 11, 18, 25 starts for none, one and two.
bool isLevelExcluded(unsigned Seen, unsigned Starts);

/// The least number of starts for which isLevelExcluded() holds.
unsigned startsToExclude(unsigned Seen);

} // namespace linesman::bisect

#endif // LINESMAN_BISECT_LEVELS_H
