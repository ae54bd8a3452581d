// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many windows the search for one of 1,024 pages takes, simulated, beside
// the bound of noisy bisection: (log2 n + log2 1/d + 3) / I(p), with the
// capacity I(p) of an answer that is wrong with probability p and d = 0.01
// (Dereniowski, Lukasiewicz, Uznanski, arXiv 2107.05753). Prints a row for each
// p, also into the file of LINESMAN_BENCH_ROWS (see measure.py).

#include "linesman/Bisect/Bisect.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

using namespace linesman::bisect;

namespace {

constexpr size_t Candidates = 1024;
constexpr unsigned Searches = 400;

/// Says whether the culprit is remote, and is wrong with a probability.
class FlippingOracle : public Oracle {
public:
  FlippingOracle(CandidateIndex Culprit, double Flips, unsigned Seed)
      : Culprit(Culprit), Flips(Flips), Random(Seed) {}

  WindowOutcome measure(const WindowRequest &Window) override {
    bool Remote = std::any_of(Window.Remote.begin(), Window.Remote.end(),
                              [&](CandidateRange R) {
                                return R.Begin <= Culprit && Culprit < R.End;
                              });
    bool Flip = std::uniform_real_distribution<>()(Random) < Flips;
    return {WindowState::Measured, double(Remote != Flip)};
  }

  Lengthening lengthen(double) override { return Lengthening::NotPossible; }

private:
  CandidateIndex Culprit;
  double Flips;
  std::mt19937_64 Random;
};

double findBound(double Flips) {
  double Capacity = Flips == 0 ? 1
                               : 1 + Flips * std::log2(Flips) +
                                     (1 - Flips) * std::log2(1 - Flips);
  return (std::log2(double(Candidates)) + std::log2(1 / 0.01) + 3) / Capacity;
}

} // namespace

int main() {
  std::FILE *Rows = nullptr;
  if (const char *Path = std::getenv("LINESMAN_BENCH_ROWS"))
    Rows = std::fopen(Path, "a");
  for (double Flips : {0.0, 0.05, 0.1, 0.2}) {
    std::vector<double> Windows;
    unsigned Right = 0;
    for (unsigned Seed = 0; Seed != Searches; ++Seed) {
      CandidateIndex Culprit = (Seed * 2654435761u) % Candidates;
      FlippingOracle Asked(Culprit, Flips, Seed);
      Progress Quiet;
      Result Found =
          bisect({std::vector<double>(Candidates, 1), MetricKind::Verdict},
                 Asked, Quiet);
      Windows.push_back(double(Found.Windows.Search));
      Right +=
          Found.Culprits.size() == 1 && Found.Culprits[0].Candidate == Culprit;
    }
    std::sort(Windows.begin(), Windows.end());
    double Bound = findBound(Flips), Sum = 0;
    for (double Count : Windows)
      Sum += Count;
    double Mean = Sum / Searches;
    std::printf("%2.0f %% flipped: %.1f windows, %u of %u right; bound %.1f\n",
                Flips * 100, Mean, Right, Searches, Bound);
    if (Rows)
      std::fprintf(
          Rows,
          "{\"bench\": \"bisect-windows\", \"case\": \"1024 pages, %.0f %% of "
          "the windows flipped (simulated)\", \"measured\": \"%.1f windows, "
          "%.1f %% right\", \"peer\": \"the bound of noisy search %.1f\", "
          "\"median\": %.4f, \"low\": %.4f, \"high\": %.4f, \"bound\": null}\n",
          Flips * 100, Mean, 100.0 * Right / Searches, Bound, Mean / Bound,
          Windows[Searches / 4] / Bound, Windows[3 * Searches / 4] / Bound);
  }
  if (Rows && std::fclose(Rows) != 0)
    return 1;
}
