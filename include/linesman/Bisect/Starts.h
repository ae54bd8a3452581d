// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts of a program as they come: which pages were where in good and in bad
// ones?
//
//     start     metric   page 0   page 1   page 2
//       1        10010   node 0   node 1   node 0
//       2         4020   node 1   node 1   node 0
//       3         9980   node 0   node 0   node 0
//                        differs with the metric; differs; does not differ
//
// Nothing is moved, so this is company, not cause: pages that were together in
// all starts can not be told apart. Many pages are compared with few starts, so
// the question is how often the best of all would look so good if metrics were
// dealt to starts at random (the largest statistic under permutation: Westfall
// and Young, Resampling-Based Multiple Testing, 1993).

#ifndef LINESMAN_BISECT_STARTS_H
#define LINESMAN_BISECT_STARTS_H

#include "linesman/Bisect/Compare.h"
#include "linesman/Bisect/Posterior.h"
#include <optional>
#include <span>
#include <vector>

namespace linesman::bisect {

/// Fewer starts can not show anything.
inline constexpr unsigned LeastStarts = 8;

struct Start {
  double Value = 0;
  /// The node of each candidate; -1 where there was no page.
  std::vector<int> Nodes;
};

/// Candidates that were on one node in the same starts.
struct StartGroup {
  std::vector<CandidateIndex> Members;
  int Node = 0;
  /// Starts with them on this node and elsewhere, and the medians of these.
  unsigned StartsOn = 0, StartsOff = 0;
  double MedianOn = 0, MedianOff = 0;
  /// That any group would look so by chance.
  double P = 1;
};

struct StartComparison {
  /// Those whose placement goes with the metric, by p, then by size.
  std::vector<StartGroup> Groups;
  /// Of the metric, where it has two.
  std::optional<Clusters> Levels;
  /// Candidates that were on the same node in all starts, and those that were
  /// not.
  unsigned Same = 0, Varied = 0;
};

/// Compares at least LeastStarts starts with the same number of candidates.
/// Groups with p below \p Significant are named. Deterministic.
StartComparison compareStarts(std::span<const Start> Starts,
                              double Significant = 0.05);

} // namespace linesman::bisect

#endif // LINESMAN_BISECT_STARTS_H
