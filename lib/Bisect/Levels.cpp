// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two levels are the best cut of the sorted values, if it is good enough.

#include "linesman/Bisect/Levels.h"
#include "linesman/Bisect/Statistics.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace linesman::bisect {

std::optional<Clusters> findClusters(std::span<const double> Values,
                                     unsigned FewestOfCluster) {
  constexpr size_t FewestValues = 8;
  // In units of the root mean square deviation within the clusters. Normal
  // samples, cut where it fits best, pass 9.0, 7.3, 5.9, 4.7 and 3.3 once in a
  // thousand at 8, 12, 16, 30 and 100 values (6,000 samples each).
  double SmallestSeparation = 4 + 60.0 / double(Values.size());
  // Two levels closer than this are nobody's problem.
  constexpr double SmallestRatio = 1.1;
  if (Values.size() < FewestValues)
    return std::nullopt;
  std::vector<double> Sorted(Values.begin(), Values.end());
  std::sort(Sorted.begin(), Sorted.end());
  size_t Count = Sorted.size(), Best = 0;
  double Least = HUGE_VAL;
  auto squares = [&](size_t Begin, size_t End) {
    double Mean = 0, Sum = 0;
    for (size_t I = Begin; I != End; ++I)
      Mean += Sorted[I] / double(End - Begin);
    for (size_t I = Begin; I != End; ++I)
      Sum += (Sorted[I] - Mean) * (Sorted[I] - Mean);
    return Sum;
  };
  for (size_t Cut = FewestOfCluster; Cut + FewestOfCluster <= Count; ++Cut)
    if (double Within = squares(0, Cut) + squares(Cut, Count); Within < Least) {
      Least = Within;
      Best = Cut;
    }
  Clusters Found;
  Found.LowLevel = median({Sorted.begin(), Sorted.begin() + Best});
  Found.HighLevel = median({Sorted.begin() + Best, Sorted.end()});
  Found.LowCount = Best;
  Found.HighCount = Count - Best;
  double Gap = Found.HighLevel - Found.LowLevel;
  if (Gap <= SmallestSeparation * std::sqrt(Least / double(Count - 2)) ||
      Gap <= (SmallestRatio - 1) * std::abs(Found.LowLevel))
    return std::nullopt;
  return Found;
}

static unsigned countLow(std::span<const double> High) {
  return unsigned(std::count(High.begin(), High.end(), 0.0));
}

unsigned LevelSplit::lowCountA() const { return countLow(HighA); }
unsigned LevelSplit::lowCountB() const { return countLow(HighB); }

unsigned LevelSplit::rareCount() const {
  unsigned LowA = lowCountA(), LowB = lowCountB();
  return std::min<unsigned>(LowA, HighA.size() - LowA) +
         std::min<unsigned>(LowB, HighB.size() - LowB);
}

std::optional<LevelSplit> splitLevels(std::span<const double> A,
                                      std::span<const double> B) {
  std::vector<double> All(A.begin(), A.end());
  All.insert(All.end(), B.begin(), B.end());
  std::optional<Clusters> Found = findClusters(All, /*FewestOfCluster=*/1);
  if (!Found)
    return std::nullopt;
  std::sort(All.begin(), All.end());
  LevelSplit Split{Found->LowLevel, Found->HighLevel, {}, {}};
  const double LowestHigh = All[Found->LowCount];
  for (double Value : A)
    Split.HighA.push_back(Value >= LowestHigh);
  for (double Value : B)
    Split.HighB.push_back(Value >= LowestHigh);
  if (!Split.rareCount())
    return std::nullopt;
  return Split;
}

bool isLevelExcluded(unsigned Seen, unsigned Starts) {
  constexpr double Share = 0.2, Chance = 0.1;
  // At most Seen of Starts, when each falls into the level with Share.
  double Tail = 0, Ways = 1;
  for (unsigned K = 0; K <= std::min(Seen, Starts); ++K) {
    Tail += Ways * std::pow(Share, K) * std::pow(1 - Share, Starts - K);
    Ways *= double(Starts - K) / (K + 1);
  }
  return Tail <= Chance;
}

unsigned startsToExclude(unsigned Seen) {
  unsigned Starts = Seen + 1;
  while (!isLevelExcluded(Seen, Starts))
    ++Starts;
  return Starts;
}

} // namespace linesman::bisect
