// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search against simulation: 1,024 pages, answers that are wrong with a
// known probability, 1,000 seeds. The means and rates of success are those of
// docs/measurements.md; the other methods are here only to be compared.

#include "linesman/Bisect/Posterior.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace linesman::bisect;

namespace {

constexpr size_t Pages = 1024;
constexpr unsigned Seeds = 1000;

struct Tally {
  double Windows = 0, Success = 0;
};

/// Answers "is the culprit among the first Cut?", sometimes wrongly.
class FlippingOracle {
public:
  FlippingOracle(unsigned Seed, double Rate)
      : Random(Seed), Rate(Rate),
        Culprit(std::uniform_int_distribution<size_t>(0, Pages - 1)(Random)) {}
  bool isBad(size_t Cut) {
    ++Windows;
    return (Culprit < Cut) !=
           (std::uniform_real_distribution<>()(Random) < Rate);
  }
  unsigned Windows = 0;

private:
  std::mt19937_64 Random;
  double Rate;

public:
  size_t Culprit;
};

template <typename MethodT> Tally simulate(double Rate, MethodT Method) {
  Tally T;
  for (unsigned Seed = 0; Seed != Seeds; ++Seed) {
    FlippingOracle Oracle(Seed, Rate);
    T.Success += Method(Oracle) == Oracle.Culprit;
    T.Windows += Oracle.Windows;
  }
  T.Success /= Seeds;
  T.Windows /= Seeds;
  return T;
}

size_t bayes(FlippingOracle &Oracle, double Rate) {
  // A rate of 0 would make one wrong answer final.
  Posterior P(std::vector<double>(Pages, 1),
              FlipRates::known(std::max(Rate, 0.01)));
  while (P.best().Probability < 0.99) {
    size_t Cut = P.nextCut();
    P.updatePrefix(Cut,
                   Oracle.isBad(Cut) ? Likelihood{1, 0} : Likelihood{0, 1});
  }
  return P.best().Candidate;
}

template <typename DecideT> size_t halve(DecideT Decide) {
  size_t Low = 0, High = Pages;
  while (High - Low > 1) {
    size_t Middle = (Low + High) / 2;
    (Decide(Middle) ? High : Low) = Middle;
  }
  return Low;
}

size_t oneRun(FlippingOracle &Oracle) {
  return halve([&](size_t Cut) { return Oracle.isBad(Cut); });
}

size_t bestOfFive(FlippingOracle &Oracle) {
  return halve([&](size_t Cut) {
    int Bad = 0;
    for (int I = 0; I != 5; ++I)
      Bad += Oracle.isBad(Cut);
    return Bad >= 3;
  });
}

/// Wald's test at each step, to an error of 0.1 % there.
size_t sprt(FlippingOracle &Oracle, double Rate) {
  double Step = std::log((1 - std::max(Rate, 0.05)) / std::max(Rate, 0.05));
  double Bound = std::log(0.999 / 0.001);
  return halve([&](size_t Cut) {
    double Sum = 0;
    while (std::abs(Sum) < Bound - 1e-9 &&
           std::abs(Sum) < 2 * Step - 1e-9 + Bound)
      Sum += Oracle.isBad(Cut) ? Step : -Step;
    return Sum > 0;
  });
}

struct Row {
  double Rate, Windows, Success;
};

} // namespace

TEST(Posterior, ReachesTheReferenceTable) {
  // The table's last column; 10 % around a mean of simulations.
  for (Row Want : {Row{0, 12, 1}, Row{.05, 16, .993}, Row{.10, 22, .998},
                   Row{.20, 43, .99}}) {
    Tally Got = simulate(
        Want.Rate, [&](FlippingOracle &O) { return bayes(O, Want.Rate); });
    EXPECT_NEAR(Got.Windows, Want.Windows, Want.Windows * 0.1) << Want.Rate;
    EXPECT_GE(Got.Success, Want.Success - 0.01) << Want.Rate;
  }
}

TEST(Posterior, OtherMethodsAreAsTheTableSays) {
  for (Row Want : {Row{0, 10, 1}, Row{.05, 10, .60}, Row{.10, 10, .36},
                   Row{.20, 10, .11}}) {
    Tally Got = simulate(Want.Rate, oneRun);
    EXPECT_EQ(Got.Windows, Want.Windows);
    EXPECT_NEAR(Got.Success, Want.Success, 0.05) << Want.Rate;
  }
  for (Row Want : {Row{0, 50, 1}, Row{.05, 50, .99}, Row{.10, 50, .92},
                   Row{.20, 50, .55}}) {
    Tally Got = simulate(Want.Rate, bestOfFive);
    EXPECT_EQ(Got.Windows, Want.Windows);
    EXPECT_NEAR(Got.Success, Want.Success, 0.05) << Want.Rate;
  }
  for (Row Want : {Row{.05, 33, .998}, Row{.10, 50, .998}, Row{.20, 83, .99}}) {
    Tally Got = simulate(Want.Rate,
                         [&](FlippingOracle &O) { return sprt(O, Want.Rate); });
    EXPECT_NEAR(Got.Windows, Want.Windows, Want.Windows * 0.2) << Want.Rate;
    EXPECT_GE(Got.Success, Want.Success - 0.015) << Want.Rate;
  }
}

TEST(Posterior, AnUnknownRateCostsLittle) {
  for (Row Want : {Row{0, 12, 1}, Row{.10, 22, .99}, Row{.20, 43, .97}}) {
    Tally Got = simulate(Want.Rate, [&](FlippingOracle &O) {
      Posterior P(std::vector<double>(Pages, 1), FlipRates::unknown());
      while (P.best().Probability < 0.99) {
        size_t Cut = P.nextCut();
        P.updatePrefix(Cut, O.isBad(Cut) ? Likelihood{1, 0} : Likelihood{0, 1});
      }
      return size_t(P.best().Candidate);
    });
    EXPECT_LE(Got.Windows, Want.Windows * 1.5) << Want.Rate;
    EXPECT_GE(Got.Success, Want.Success - 0.02) << Want.Rate;
  }
}

TEST(Posterior, APriorSavesItsInformation) {
  // One page in 16 holds nine tenths of the prior: log2(16) windows less.
  Tally Flat = {}, Informed = {};
  for (unsigned Seed = 0; Seed != Seeds; ++Seed) {
    for (bool Use : {false, true}) {
      FlippingOracle O(Seed, 0.05);
      std::vector<double> Prior(Pages, Use ? 0.1 / 960 : 1);
      if (Use)
        for (size_t I = O.Culprit % 16; I < Pages; I += 16)
          Prior[I] = 0.9 / 64;
      Posterior P(Prior, FlipRates::known(0.05));
      while (P.best().Probability < 0.99) {
        size_t Cut = P.nextCut();
        P.updatePrefix(Cut, O.isBad(Cut) ? Likelihood{1, 0} : Likelihood{0, 1});
      }
      (Use ? Informed : Flat).Windows += double(O.Windows) / Seeds;
      (Use ? Informed : Flat).Success +=
          double(P.best().Candidate == O.Culprit) / Seeds;
    }
  }
  EXPECT_LE(Informed.Windows, Flat.Windows - 3);
  EXPECT_GE(Informed.Success, 0.98);
}

TEST(Posterior, OneCandidateIsCertain) {
  Posterior P(std::vector<double>{3}, FlipRates::unknown());
  EXPECT_DOUBLE_EQ(P.best().Probability, 1);
}

TEST(Posterior, CutsStayInside) {
  Posterior P(std::vector<double>{1, 1000}, FlipRates::known(.1));
  EXPECT_EQ(P.nextCut(), 1u);
  Posterior Q(std::vector<double>{1000, 1}, FlipRates::known(.1));
  EXPECT_EQ(Q.nextCut(), 1u);
}
