// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iteratively reweighted least squares (Huber and Ronchetti, Robust Statistics,
// 2009, chapter 7) on a handful of unknowns.

#include "linesman/Bisect/Shares.h"
#include "linesman/Bisect/Statistics.h"
#include <algorithm>
#include <cmath>

namespace linesman::bisect {

/// Tukey's constant: 95 % of the efficiency of least squares on normal noise.
constexpr double Bisquare = 4.685;
constexpr unsigned Rounds = 60;
/// Of normal noise the median deviation times this is the standard deviation.
constexpr double NormalMedian = 1.4826;
/// Beyond it a window is none of its state.
constexpr double StrayFrom = 4;

double Shares::whole() const {
  double Sum = Rest;
  for (double Cost : Costs)
    Sum += Cost;
  return Sum;
}

namespace {

using Row = std::vector<double>;

class Regression {
public:
  Regression(std::vector<Row> X, std::vector<double> Y)
      : X(std::move(X)), Y(std::move(Y)), Weights(this->Y.size(), 1) {}

  /// False when the columns are not independent.
  bool solve() {
    const size_t Count = X.front().size();
    // [X'WX | X'Wy | identity]: the last becomes the inverse.
    std::vector<Row> M(Count, Row(2 * Count + 1));
    for (size_t I = 0; I != X.size(); ++I)
      for (size_t A = 0; A != Count; ++A) {
        for (size_t B = 0; B != Count; ++B)
          M[A][B] += Weights[I] * X[I][A] * X[I][B];
        M[A][Count] += Weights[I] * X[I][A] * Y[I];
      }
    for (size_t A = 0; A != Count; ++A)
      M[A][Count + 1 + A] = 1;
    for (size_t C = 0; C != Count; ++C) {
      size_t Pivot = C;
      for (size_t A = C; A != Count; ++A)
        if (std::abs(M[A][C]) > std::abs(M[Pivot][C]))
          Pivot = A;
      if (std::abs(M[Pivot][C]) < 1e-9)
        return false;
      std::swap(M[C], M[Pivot]);
      const double Factor = M[C][C];
      for (double &Cell : M[C])
        Cell /= Factor;
      for (size_t A = 0; A != Count; ++A)
        if (const double Times = M[A][C]; A != C && Times != 0)
          for (size_t B = 0; B != M[A].size(); ++B)
            M[A][B] -= Times * M[C][B];
    }
    Beta.resize(Count);
    Variance.resize(Count);
    for (size_t A = 0; A != Count; ++A) {
      Beta[A] = M[A][Count];
      Variance[A] = M[A][Count + 1 + A];
    }
    return true;
  }

  double residual(size_t I) const {
    double Fit = 0;
    for (size_t A = 0; A != Beta.size(); ++A)
      Fit += X[I][A] * Beta[A];
    return Y[I] - Fit;
  }

  /// \p Weigh gives a window's weight by its residual.
  template <typename Weight> bool iterate(Weight Weigh) {
    for (unsigned I = 0; I != Rounds; ++I) {
      for (size_t W = 0; W != Weights.size(); ++W)
        Weights[W] = Weigh(residual(W));
      if (!solve())
        return false;
    }
    return true;
  }

  std::vector<Row> X;
  std::vector<double> Y, Weights, Beta, Variance;
  double Scale = 0;
};

/// Whether there is anybody else.
bool hasRest(std::span<const KnownWindow> Windows) {
  return std::any_of(Windows.begin(), Windows.end(),
                     [](const KnownWindow &W) { return W.Rest; });
}

/// Columns: 1, the culprits, the rest, and the window's number if there is
/// drift.
std::optional<Regression> fit(std::span<const KnownWindow> Windows,
                              double Spread, bool HasDrift) {
  std::vector<Row> X;
  std::vector<double> Y;
  const bool HasRest = hasRest(Windows);
  for (const KnownWindow &W : Windows) {
    Row R = {1};
    R.insert(R.end(), W.Remote.begin(), W.Remote.end());
    if (HasRest)
      R.push_back(W.Rest);
    if (HasDrift)
      R.push_back(W.Number);
    X.push_back(std::move(R));
    Y.push_back(W.Value);
  }
  Regression Result(std::move(X), std::move(Y));
  auto Absolute = [&](double R) {
    return 1 / std::max(std::abs(R) / Spread, 1e-3);
  };
  auto Tukey = [&](double R) {
    double U = R / (Bisquare * Result.Scale);
    // Not 0, which could leave a state without any window.
    return std::abs(U) < 1 ? std::pow(1 - U * U, 2) : 1e-6;
  };
  if (!Result.solve() || !Result.iterate(Absolute))
    return std::nullopt;
  // Ten windows of calibration can look far quieter than the rest.
  std::vector<double> Residuals;
  for (size_t I = 0; I != Windows.size(); ++I)
    Residuals.push_back(std::abs(Result.residual(I)));
  Result.Scale = std::max(Spread, NormalMedian * median(Residuals));
  if (!Result.iterate(Tukey))
    return std::nullopt;
  return Result;
}

} // namespace

std::optional<Shares> fitShares(std::span<const KnownWindow> Windows,
                                size_t Culprits, double Spread) {
  if (Windows.size() < Culprits + 3 || !(Spread > 0))
    return std::nullopt;
  std::optional<Regression> Drifting = fit(Windows, Spread, true);
  bool HasDrift = Drifting && std::abs(Drifting->Beta.back()) >
                                  3 * Drifting->Scale *
                                      std::sqrt(Drifting->Variance.back());
  std::optional<Regression> Fit =
      HasDrift ? std::move(Drifting) : fit(Windows, Spread, false);
  if (!Fit)
    return std::nullopt;
  Shares Result;
  Result.Local = Fit->Beta[0];
  Result.Costs.assign(Fit->Beta.begin() + 1, Fit->Beta.begin() + 1 + Culprits);
  if (hasRest(Windows))
    Result.Rest = Fit->Beta[Culprits + 1];
  if (HasDrift)
    Result.Drift = Fit->Beta.back();
  for (size_t I = 0; I != Windows.size(); ++I)
    Result.IsStray.push_back(std::abs(Fit->residual(I)) >
                             StrayFrom * Fit->Scale);
  return Result;
}

} // namespace linesman::bisect
