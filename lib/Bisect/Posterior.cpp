// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The joint posterior of culprit and flip rate.

#include "linesman/Bisect/Posterior.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace linesman::bisect {

FlipRates FlipRates::unknown() {
  return {{0.01, 0.03, 0.06, 0.1, 0.16, 0.22, 0.3},
          {0.40, 0.20, 0.13, 0.10, 0.08, 0.06, 0.03}};
}

Posterior::Posterior(std::span<const double> Prior, FlipRates Given)
    : Count(Prior.size()), Flips(std::move(Given)) {
  assert(
      Count &&
      std::all_of(Prior.begin(), Prior.end(), [](double P) { return P > 0; }) &&
      "a candidate without a chance is none");
  assert(Flips.Rates.size() == Flips.Weights.size() &&
         "each rate has a weight");
  double Total = std::accumulate(Prior.begin(), Prior.end(), 0.0);
  double Rates =
      std::accumulate(Flips.Weights.begin(), Flips.Weights.end(), 0.0);
  for (double Weight : Flips.Weights)
    for (double P : Prior)
      Joint.push_back(Weight / Rates * P / Total);
  Marginal.resize(Count);
  for (size_t I = 0; I != Count; ++I)
    Marginal[I] = Prior[I] / Total;
}

template <typename IsBad> void Posterior::update(Likelihood L, IsBad Bad) {
  double Total = 0;
  std::fill(Marginal.begin(), Marginal.end(), 0);
  for (size_t R = 0; R != Flips.Rates.size(); ++R) {
    double Rate = Flips.Rates[R];
    double IfBad = (1 - Rate) * L.Bad + Rate * L.Good;
    double IfGood = (1 - Rate) * L.Good + Rate * L.Bad;
    double *Row = Joint.data() + R * Count;
    for (size_t I = 0; I != Count; ++I) {
      Row[I] *= Bad(I) ? IfBad : IfGood;
      Marginal[I] += Row[I];
      Total += Row[I];
    }
  }
  assert(Total > 0 && "a value that neither state can show");
  for (double &P : Joint)
    P /= Total;
  for (double &P : Marginal)
    P /= Total;
}

void Posterior::updatePrefix(size_t Cut, Likelihood L) {
  assert(Cut <= Count && "a prefix of the candidates");
  update(L, [Cut](size_t I) { return I < Cut; });
}

void Posterior::updateSingle(CandidateIndex Only, Likelihood L) {
  assert(Only < Count && "one of the candidates");
  update(L, [Only](size_t I) { return I == Only; });
}

void Posterior::updateKnownBad(Likelihood L) {
  update(L, [](size_t) { return true; });
}

Guess Posterior::best() const {
  auto Most = std::max_element(Marginal.begin(), Marginal.end());
  return {CandidateIndex(Most - Marginal.begin()), *Most};
}

size_t Posterior::nextCut() const {
  assert(Count > 1 && "one candidate cannot be cut");
  double Before = 0;
  for (size_t I = 0; I + 1 < Count; ++I) {
    double Together = Before + Marginal[I];
    if (Together >= 0.5)
      return I && 0.5 - Before < Together - 0.5 ? I : I + 1;
    Before = Together;
  }
  return std::max<size_t>(1, Count - 1);
}

double Posterior::massBefore(size_t Cut) const {
  assert(Cut <= Count && "a prefix of the candidates");
  return std::accumulate(Marginal.begin(), Marginal.begin() + Cut, 0.0);
}

double Posterior::flipRate() const {
  double Mean = 0;
  for (size_t R = 0; R != Flips.Rates.size(); ++R)
    Mean +=
        Flips.Rates[R] * std::accumulate(Joint.begin() + R * Count,
                                         Joint.begin() + (R + 1) * Count, 0.0);
  return Mean;
}

} // namespace linesman::bisect
