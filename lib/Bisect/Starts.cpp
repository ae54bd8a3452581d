// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of pages with one history, and the rank-sum statistic of each.

#include "linesman/Bisect/Starts.h"
#include "linesman/Bisect/Statistics.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace linesman::bisect {

namespace {

constexpr unsigned Shuffles = 10000;

/// In which starts a group was on its node.
using History = std::vector<bool>;

/// The middle rank of each value, from 0.
std::vector<double> ranksOf(const std::vector<double> &Values) {
  std::vector<double> Ranks;
  for (double Value : Values) {
    double Below = 0, Same = 0;
    for (double Other : Values) {
      Below += Other < Value;
      Same += Other == Value;
    }
    Ranks.push_back(Below + (Same - 1) / 2);
  }
  return Ranks;
}

/// How far the ranks of the starts in \p Is are from those of the others, in
/// standard deviations of chance: comparable between groups of any size.
double statisticOf(const History &Is, const std::vector<double> &Ranks) {
  const double N = double(Ranks.size());
  double Remote = 0, Sum = 0, Squares = 0;
  const double Mean = (N - 1) / 2;
  for (size_t I = 0; I != Ranks.size(); ++I) {
    Squares += (Ranks[I] - Mean) * (Ranks[I] - Mean);
    if (Is[I]) {
      ++Remote;
      Sum += Ranks[I] - Mean;
    }
  }
  // Of a sample without replacement.
  const double Variance = Squares / (N - 1) * Remote * (N - Remote) / N;
  return Variance > 0 ? std::abs(Sum) / std::sqrt(Variance) : 0;
}

/// Each candidate that was not always on one node, by its histories: one for
/// each node, but for the last, which the others determine.
std::map<std::pair<History, int>, std::vector<CandidateIndex>>
groupCandidates(std::span<const Start> Starts) {
  std::map<std::pair<History, int>, std::vector<CandidateIndex>> Groups;
  for (size_t C = 0; C != Starts.front().Nodes.size(); ++C) {
    std::vector<int> Nodes;
    for (const Start &S : Starts)
      Nodes.push_back(S.Nodes[C]);
    std::vector<int> Seen = Nodes;
    std::sort(Seen.begin(), Seen.end());
    Seen.erase(std::unique(Seen.begin(), Seen.end()), Seen.end());
    if (Seen.size() == 2)
      Seen.erase(Seen.begin());
    else if (Seen.size() == 1)
      Seen.clear();
    for (int Node : Seen) {
      History Is;
      for (int Number : Nodes)
        Is.push_back(Number == Node);
      Groups[{Is, Node}].push_back(CandidateIndex(C));
    }
  }
  return Groups;
}

} // namespace

StartComparison compareStarts(std::span<const Start> Starts,
                              double Significant) {
  StartComparison Result;
  std::vector<double> Values;
  for (const Start &S : Starts)
    Values.push_back(S.Value);
  Result.Levels = findClusters(Values);
  const size_t Candidates = Starts.front().Nodes.size();
  for (size_t C = 0; C != Candidates; ++C) {
    bool IsSame =
        std::all_of(Starts.begin(), Starts.end(), [&](const Start &S) {
          return S.Nodes[C] == Starts.front().Nodes[C];
        });
    ++(IsSame ? Result.Same : Result.Varied);
  }
  auto Groups = groupCandidates(Starts);
  std::vector<double> Ranks = ranksOf(Values);
  // The largest statistic of all groups, for metrics dealt at random.
  std::mt19937_64 Random(1);
  std::vector<double> Largest, Dealt = Ranks;
  for (unsigned I = 0; I != Shuffles; ++I) {
    // Not std::shuffle, whose order differs between libraries.
    for (size_t Last = Dealt.size(); Last > 1; --Last)
      std::swap(Dealt[Last - 1], Dealt[Random() % Last]);
    double Most = 0;
    for (const auto &[Key, Members] : Groups)
      Most = std::max(Most, statisticOf(Key.first, Dealt));
    Largest.push_back(Most);
  }
  for (auto &[Key, Members] : Groups) {
    // Sums in another order differ in their last bits.
    const double Observed = statisticOf(Key.first, Ranks) - 1e-9;
    const auto AtLeast =
        std::count_if(Largest.begin(), Largest.end(),
                      [&](double Most) { return Most >= Observed; });
    const double P = double(1 + AtLeast) / (1 + Shuffles);
    if (P >= Significant)
      continue;
    std::vector<double> Remote, Off;
    for (size_t I = 0; I != Values.size(); ++I)
      (Key.first[I] ? Remote : Off).push_back(Values[I]);
    Result.Groups.push_back({Members, Key.second, unsigned(Remote.size()),
                             unsigned(Off.size()), median(Remote), median(Off),
                             P});
  }
  std::stable_sort(Result.Groups.begin(), Result.Groups.end(),
                   [](const StartGroup &A, const StartGroup &B) {
                     return A.P != B.P ? A.P < B.P
                                       : A.Members.size() < B.Members.size();
                   });
  return Result;
}

} // namespace linesman::bisect
