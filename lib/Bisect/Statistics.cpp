// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Robust statistics of small samples.

#include "linesman/Bisect/Statistics.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace linesman::bisect {

/// Makes the trimmed root mean square a standard deviation for normal noise:
/// 1.77 for 5 + 5 values, 1.62 for 10 + 10 (simulated, 20,000 samples each).
constexpr double NormalCorrection = 1.7;

double median(std::vector<double> Values) {
  assert(!Values.empty() && "the median of nothing");
  size_t Middle = Values.size() / 2;
  std::nth_element(Values.begin(), Values.begin() + Middle, Values.end());
  double Upper = Values[Middle];
  if (Values.size() % 2)
    return Upper;
  return (*std::max_element(Values.begin(), Values.begin() + Middle) + Upper) /
         2;
}

double pooledSpread(std::span<const double> A, std::span<const double> B) {
  std::vector<double> Deviations;
  for (std::span<const double> Sample : {A, B}) {
    double Center = median({Sample.begin(), Sample.end()});
    for (double Value : Sample)
      Deviations.push_back(std::abs(Value - Center));
  }
  std::sort(Deviations.begin(), Deviations.end());
  Deviations.resize((Deviations.size() * 4 + 4) / 5);
  double Sum = 0;
  for (double Deviation : Deviations)
    Sum += Deviation * Deviation;
  return NormalCorrection * std::sqrt(Sum / double(Deviations.size()));
}

double studentDensity(double X, double Center, double Scale) {
  // Gamma(5/2) / (sqrt(4 pi) Gamma(2)) = 3/8.
  double T = (X - Center) / Scale;
  return 0.375 * std::pow(1 + T * T / 4, -2.5) / Scale;
}

double permutationP(std::span<const double> A, std::span<const double> B,
                    double Sign) {
  assert(!A.empty() && !B.empty() && "nothing is compared");
  std::vector<double> All(A.begin(), A.end());
  All.insert(All.end(), B.begin(), B.end());
  assert(All.size() < 64 && "a split is a mask of that many bits");
  double Total = std::accumulate(All.begin(), All.end(), 0.0);
  double SumA = std::accumulate(A.begin(), A.end(), 0.0);
  double Scale = 0;
  for (double Value : All)
    Scale += std::abs(Value);
  // Equal sums in another order of addition differ in their last bits.
  double Slack = 1e-12 * Scale;
  auto Difference = [&](double Sum) {
    return Sign * (Sum / A.size() - (Total - Sum) / B.size());
  };
  double Observed = Difference(SumA);
  // All splits: a mask of A.size() bits among All.size(), in Gosper's order.
  uint64_t Splits = 0, AtLeast = 0;
  uint64_t End = uint64_t(1) << All.size();
  for (uint64_t Mask = (uint64_t(1) << A.size()) - 1; Mask < End;) {
    double Sum = 0;
    for (uint64_t Left = Mask; Left; Left &= Left - 1)
      Sum += All[__builtin_ctzll(Left)];
    ++Splits;
    AtLeast += Difference(Sum) >= Observed - Slack;
    uint64_t Low = Mask & -Mask, Ripple = Mask + Low;
    Mask = Ripple | (((Mask ^ Ripple) >> 2) / Low);
  }
  return double(AtLeast) / double(Splits);
}

Interval shiftInterval(std::span<const double> A, std::span<const double> B) {
  assert(!A.empty() && !B.empty() && "nothing is compared");
  std::vector<double> Shifts;
  for (double X : A)
    for (double Y : B)
      Shifts.push_back(Y - X);
  std::sort(Shifts.begin(), Shifts.end());
  // How many orders of the values have each rank sum U, by adding one value of
  // B after the other: those below I of A add I.
  std::vector<std::vector<double>> Ways(B.size() + 1,
                                        std::vector<double>(Shifts.size() + 1));
  Ways[0][0] = 1;
  for (size_t Below = 0; Below <= A.size(); ++Below)
    for (size_t Taken = 1; Taken <= B.size(); ++Taken)
      for (size_t U = Below; U <= Shifts.size(); ++U)
        Ways[Taken][U] += Ways[Taken - 1][U - Below];
  const std::vector<double> &Values = Ways[B.size()];
  const double Total = std::accumulate(Values.begin(), Values.end(), 0.0);
  // The largest number of extreme shifts that may be left out at each end.
  size_t Out = 0;
  for (double Sum = Values[0]; Sum <= 0.025 * Total; Sum += Values[Out])
    ++Out;
  if (!Out)
    return {-std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::infinity()};
  return {Shifts[Out - 1], Shifts[Shifts.size() - Out]};
}

Interval partInterval(std::span<const double> A, std::span<const double> B) {
  struct Part {
    double Is, Low, High;
  };
  auto Score = [](std::span<const double> Values) {
    constexpr double Z = 1.959964;
    const double N = double(Values.size());
    const double Is = std::accumulate(Values.begin(), Values.end(), 0.0) / N;
    const double Middle = Is + Z * Z / (2 * N);
    const double Half = Z * std::sqrt(Is * (1 - Is) / N + Z * Z / (4 * N * N));
    return Part{Is, (Middle - Half) / (1 + Z * Z / N),
                (Middle + Half) / (1 + Z * Z / N)};
  };
  const Part Source = Score(A), Target = Score(B);
  const double Shift = Target.Is - Source.Is;
  return {Shift - std::hypot(Target.Is - Target.Low, Source.High - Source.Is),
          Shift + std::hypot(Target.High - Target.Is, Source.Is - Source.Low)};
}

} // namespace linesman::bisect
