// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paired comparison with repeated looks.

#include "linesman/Bisect/Compare.h"
#include "linesman/Bisect/Statistics.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

namespace linesman::bisect {

constexpr unsigned FirstLook = 8;
constexpr double TotalError = 0.05;

unsigned roundsAtLook(unsigned Look) {
  // Half as many again each time: few looks, and little time lost after the
  // data could have told.
  unsigned Rounds = FirstLook;
  for (unsigned I = 0; I != Look; ++I)
    Rounds += Rounds / 2;
  return Rounds;
}

double errorAtLook(unsigned Look) {
  double Number = (Look + 1) * std::numbers::pi;
  return TotalError * 6 / (Number * Number);
}

bool hasRatios(std::span<const Round> Rounds) {
  return std::all_of(Rounds.begin(), Rounds.end(), [](const Round &R) {
    return R.A > 0 && R.B > 0 && std::isfinite(R.A) && std::isfinite(R.B);
  });
}

double signedRankP(std::span<const double> Differences) {
  std::vector<double> Sorted;
  for (double D : Differences)
    if (D != 0)
      Sorted.push_back(D);
  if (Sorted.empty())
    return 1;
  std::sort(Sorted.begin(), Sorted.end(),
            [](double X, double Y) { return std::abs(X) < std::abs(Y); });
  // Ranks times two, which are whole numbers also where ties share them.
  size_t Count = Sorted.size(), Total = Count * (Count + 1);
  std::vector<size_t> Ranks(Count);
  size_t Positive = 0;
  for (size_t Begin = 0; Begin != Count;) {
    size_t End = Begin;
    while (End != Count && std::abs(Sorted[End]) == std::abs(Sorted[Begin]))
      ++End;
    for (size_t I = Begin; I != End; ++I) {
      Ranks[I] = Begin + End + 1;
      Positive += Sorted[I] > 0 ? Ranks[I] : 0;
    }
    Begin = End;
  }
  // The distribution of the sum of the ranks that get a plus, when each gets
  // one by a coin.
  std::vector<double> Probability(Total + 1);
  Probability[0] = 1;
  size_t Reached = 0;
  for (size_t Rank : Ranks) {
    Reached += Rank;
    for (size_t Sum = Reached + 1; Sum-- > 0;)
      Probability[Sum] =
          (Probability[Sum] + (Sum >= Rank ? Probability[Sum - Rank] : 0)) / 2;
  }
  size_t Extreme = std::min(Positive, Total - Positive);
  double Tail = 0;
  for (size_t Sum = 0; Sum <= Extreme; ++Sum)
    Tail += Probability[Sum];
  return std::min(1.0, 2 * Tail);
}

/// The probability that at least \p Least of \p Count tries succeed.
static double binomialTail(unsigned Count, double Success, unsigned Least) {
  if (Success >= 1)
    return 1;
  double Sum = 0;
  for (unsigned K = Least; K <= Count; ++K)
    Sum += std::exp(std::lgamma(Count + 1.0) - std::lgamma(K + 1.0) -
                    std::lgamma(Count - K + 1.0) + K * std::log(Success) +
                    (Count - K) * std::log1p(-Success));
  return Sum;
}

/// The 2.5 % and 97.5 % points of the medians of all resamples. No resample is
/// drawn: the median is at most the K-th value when at least half of the picks
/// are among the first K, which is a binomial tail.
static std::pair<double, double>
bootstrapMedian(std::span<const double> Values) {
  std::vector<double> Sorted(Values.begin(), Values.end());
  std::sort(Sorted.begin(), Sorted.end());
  unsigned Count = Sorted.size();
  // Of an even count the lower of the two middle values for the lower end, and
  // the upper one for the upper: the wider interval.
  auto quantile = [&](unsigned Middle, double Part) {
    for (unsigned K = 1; K != Count; ++K)
      if (binomialTail(Count, double(K) / Count, Middle) >= Part)
        return Sorted[K - 1];
    return Sorted.back();
  };
  return {quantile((Count + 1) / 2, 0.025), quantile(Count / 2 + 1, 0.975)};
}

/// Half the distance between pairs with B second and pairs with A second; 0
/// when there is only one order.
static double orderEffect(std::span<const double> Logs,
                          std::span<const Round> Rounds) {
  std::vector<double> BSecond, ASecond;
  for (size_t I = 0; I != Rounds.size(); ++I)
    (Rounds[I].First == Round::Order::AFirst ? BSecond : ASecond)
        .push_back(Logs[I]);
  if (BSecond.empty() || ASecond.empty())
    return 0;
  return (median(BSecond) - median(ASecond)) / 2;
}

namespace {

/// One way to compare the two: how much larger B's metric is as a part of A's,
/// as an interval of 95 %, and the exact p of the two names.
struct Contrast {
  double Middle = 0;
  Interval BAboveA;
  double P = 1;
};

/// What it says of B: the interval decides whether a difference matters, and p
/// whether it may be chance.
Answer judge(const Contrast &Is, double Error, const CompareConfig &Config) {
  auto [Low, High] = Is.BAboveA;
  double Below = 1 / (1 + Config.Margin) - 1;
  if (Low > Below && High < Config.Margin)
    return Answer::NoDifference;
  if (Is.P > Error || (Low <= Config.Margin && High >= Below))
    return Answer::CannotTell;
  return (Low > Config.Margin) == (Config.Direction == Better::Higher)
             ? Answer::Faster
             : Answer::Slower;
}

bool isDifference(Answer Is) {
  return Is == Answer::Faster || Is == Answer::Slower;
}

/// How many of the rounds it would need until its interval is on one side of
/// the margin. The interval shrinks with the root of the rounds; twice as many
/// as would just do, because the middle moves, too (four times in five it is
/// enough).
unsigned roundsToJudge(const Contrast &Is, double Rounds,
                       const CompareConfig &Config) {
  double Half = (Is.BAboveA.High - Is.BAboveA.Low) / 2;
  // On the margin itself no number of rounds can tell, and where the middle is
  // is not known so well.
  double Room = std::max(std::abs(std::abs(Is.Middle) - Config.Margin),
                         Config.Margin / 2);
  double Times = std::max(1.5, 2 * (Half / Room) * (Half / Room));
  return unsigned(
      std::clamp(std::ceil(Rounds * Times), double(FirstLook), 1e6));
}

/// What the shares of the levels do to the mean.
Contrast contrastShares(const LevelSplit &Split, std::span<const double> A) {
  double Mean = std::accumulate(A.begin(), A.end(), 0.0) / double(A.size());
  double Gap = (Split.HighLevel - Split.LowLevel) / Mean;
  Interval Shares = partInterval(Split.HighA, Split.HighB);
  std::vector<double> Differences;
  for (size_t I = 0; I != A.size(); ++I)
    Differences.push_back(Split.HighB[I] - Split.HighA[I]);
  // The signed ranks of ones are a sign test.
  return {(Shares.Low + Shares.High) / 2 * Gap,
          {Shares.Low * Gap, Shares.High * Gap},
          signedRankP(Differences)};
}

/// The verdict of the ratios, where nobody fell into another level, or so few
/// that no share of weight can be behind it.
void judgeOneLevel(Comparison &Result, Answer ByRatio, bool IsContrary) {
  unsigned Rare = Result.Split ? Result.Split->rareCount() : 0;
  // That B is better in most rounds is true whatever is yet to be seen, unless
  // what was seen of the other level speaks against it.
  bool IsAtRisk =
      ByRatio == Answer::NoDifference || (isDifference(ByRatio) && IsContrary);
  if (!IsAtRisk || isLevelExcluded(Rare, Result.Rounds)) {
    Result.Verdict = ByRatio;
    return;
  }
  Result.Reason = Doubt::UnseenLevel;
  Result.RoundsNeeded = startsToExclude(Rare);
}

/// The verdict of the ratios and of the shares.
void judgeLevels(Comparison &Result, const Contrast &Ratios, Answer ByRatio,
                 const Contrast &Shares, Answer ByShares, bool IsContrary,
                 const CompareConfig &Config) {
  if (isDifference(ByShares) && isDifference(ByRatio) && ByShares != ByRatio) {
    Result.Reason = Doubt::Contrary;
    return;
  }
  if (isDifference(ByRatio) &&
      (!IsContrary || ByShares == Answer::NoDifference)) {
    Result.Verdict = ByRatio;
    return;
  }
  if (isDifference(ByShares)) {
    Result.Verdict = ByShares;
    Result.Ground = Basis::Shares;
    Result.P = Shares.P;
    return;
  }
  if (ByRatio == Answer::NoDifference && ByShares == Answer::NoDifference) {
    Result.Verdict = Answer::NoDifference;
    return;
  }
  if (ByShares == Answer::CannotTell) {
    Result.Reason = Doubt::Shares;
    Result.RoundsNeeded = roundsToJudge(Shares, Result.Rounds, Config);
  } else {
    Result.RoundsNeeded = roundsToJudge(Ratios, Result.Rounds, Config);
  }
}

} // namespace

Comparison compare(std::span<const Round> Rounds, unsigned Look,
                   const CompareConfig &Config) {
  assert(Rounds.size() >= 2 && hasRatios(Rounds));
  // Fewer rounds in another level than this are a suspicion, and no level.
  constexpr unsigned FewestOfLevel = 3;
  std::vector<double> Logs, A, B;
  for (const Round &R : Rounds) {
    Logs.push_back(std::log(R.B / R.A));
    A.push_back(R.A);
    B.push_back(R.B);
  }
  Comparison Result;
  Result.Rounds = Rounds.size();
  Result.ClustersA = findClusters(A);
  Result.ClustersB = findClusters(B);
  Result.Split = splitLevels(A, B);
  // The test takes the ratios as they are: the order is part of the design,
  // and what is exchangeable is the two names.
  Result.P = signedRankP(Logs);
  // Between the medians of some rounds of each order may be a whole level,
  // which is chance and no effect of the order.
  double Effect = Result.Split ? 0 : orderEffect(Logs, Rounds);
  Result.OrderEffect = std::exp(Effect);
  for (size_t I = 0; I != Rounds.size(); ++I)
    Logs[I] -= Rounds[I].First == Round::Order::AFirst ? Effect : -Effect;
  auto [Low, High] = bootstrapMedian(Logs);
  Result.BToA = {std::exp(median(Logs)), std::exp(Low), std::exp(High)};

  const Contrast Ratios{Result.BToA.Median - 1,
                        {Result.BToA.Low - 1, Result.BToA.High - 1},
                        Result.P};
  // Two questions share the error of a look.
  const double Error = errorAtLook(Look) / (Result.Split ? 2 : 1);
  const Answer ByRatio = judge(Ratios, Error, Config);
  Contrast Shares;
  bool IsContrary = false;
  if (Result.Split) {
    Shares = contrastShares(*Result.Split, A);
    int More = int(Result.Split->lowCountA()) - int(Result.Split->lowCountB());
    IsContrary = More && (More > 0) != (Result.BToA.Median > 1);
  }
  if (Result.Split && (Result.ClustersA || Result.ClustersB ||
                       Result.Split->rareCount() >= FewestOfLevel))
    judgeLevels(Result, Ratios, ByRatio, Shares, judge(Shares, Error, Config),
                IsContrary, Config);
  else if ((Result.ClustersA || Result.ClustersB) &&
           ByRatio == Answer::NoDifference)
    Result.Reason = Doubt::Shares;
  else
    judgeOneLevel(Result, ByRatio, IsContrary);
  if (Result.Verdict == Answer::CannotTell && Result.Reason == Doubt::Noise &&
      !Result.RoundsNeeded)
    Result.RoundsNeeded = roundsToJudge(Ratios, Result.Rounds, Config);
  return Result;
}

Comparison compareOutcomes(std::span<const Round> Rounds, unsigned Look) {
  std::vector<double> Differences;
  double Sum = 0;
  for (const Round &R : Rounds) {
    Differences.push_back(R.B - R.A);
    Sum += R.B - R.A;
  }
  Comparison Result;
  Result.Rounds = Rounds.size();
  // Differences of one size share one rank: the signed ranks are the signs.
  Result.P = signedRankP(Differences);
  if (Result.P <= errorAtLook(Look))
    Result.Verdict = Sum < 0 ? Answer::Faster : Answer::Slower;
  else
    Result.RoundsNeeded = Result.Rounds + Result.Rounds / 2;
  return Result;
}

} // namespace linesman::bisect
