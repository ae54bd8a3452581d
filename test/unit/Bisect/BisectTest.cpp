// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole procedure against a simulated program: noise, flips, outliers,
// drift, several culprits, skips.

#include "linesman/Bisect/Bisect.h"
#include "linesman/Bisect/WindowLog.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace linesman::bisect;

namespace {

/// 100 with everything local; each culprit adds its cost when it is remote.
struct Program {
  std::map<CandidateIndex, double> Costs;
  double Spread = 0;
  double Flips = 0;
  double Outliers = 0;
  double DriftPerWindow = 0;
  double Skips = 0;
  bool Verdicts = false;
  bool CanLengthen = false;
};

class SimulatedOracle : public Oracle {
public:
  SimulatedOracle(Program P, unsigned Seed) : P(P), Random(Seed) {}

  WindowOutcome measure(const WindowRequest &Window) override {
    Requests.push_back(Window);
    if (StopAfter && Requests.size() > StopAfter)
      return {WindowState::Stopped};
    if (chance(P.Skips))
      return {WindowState::Skipped};
    bool Flip = chance(P.Flips);
    double Value = 100, Total = 0;
    for (auto [Candidate, Cost] : P.Costs) {
      bool Remote = std::any_of(
          Window.Remote.begin(), Window.Remote.end(), [&](CandidateRange R) {
            return R.Begin <= Candidate && Candidate < R.End;
          });
      Total += Cost;
      if (Remote)
        Value += Cost;
    }
    if (P.Verdicts)
      return {WindowState::Measured, double((Value > 100) != Flip)};
    if (Flip)
      Value = Value > 100 ? 100 : 100 + Total;
    Value += std::normal_distribution<>(0, 1)(Random) * P.Spread;
    if (chance(P.Outliers))
      Value += 300;
    return {WindowState::Measured,
            Value + P.DriftPerWindow * double(Requests.size())};
  }

  Lengthening lengthen(double Factor) override {
    if (!P.CanLengthen)
      return Lengthening::NotPossible;
    P.Spread /= std::sqrt(Factor);
    return Lengthening::Done;
  }

  std::vector<WindowRequest> Requests;
  size_t StopAfter = 0;

private:
  Program P;
  std::mt19937_64 Random;

  bool chance(double Rate) {
    return std::uniform_real_distribution<>()(Random) < Rate;
  }
};

Result run(Program P, unsigned Seed, size_t Candidates = 1024) {
  SimulatedOracle O(P, Seed);
  Progress Quiet;
  return bisect({std::vector<double>(Candidates, 1),
                 P.Verdicts ? MetricKind::Verdict : MetricKind::Number},
                O, Quiet);
}

struct Score {
  double Right = 0, WrongCertain = 0, Search = 0;
};

/// Runs with the culprit anywhere.
Score score(Program P, unsigned Seeds, size_t Candidates = 1024) {
  Score S;
  for (unsigned Seed = 0; Seed != Seeds; ++Seed) {
    CandidateIndex Culprit = (Seed * 2654435761u) % Candidates;
    P.Costs = {{Culprit, 100}};
    Result R = run(P, Seed, Candidates);
    bool Right = R.Outcome == Verdict::Found && R.Culprits.size() == 1 &&
                 R.Culprits[0].Candidate == Culprit;
    S.Right += double(Right) / Seeds;
    S.WrongCertain += std::any_of(R.Culprits.begin(), R.Culprits.end(),
                                  [&](const linesman::bisect::Culprit &C) {
                                    return C.Candidate != Culprit;
                                  });
    S.Search += double(R.Windows.Search) / Seeds;
  }
  return S;
}

} // namespace

TEST(Bisect, WithoutNoiseItIsAlwaysRight) {
  Score S = score({.Costs = {}}, 200);
  EXPECT_NEAR(S.Right, 1, 1e-9);
  EXPECT_LE(S.Search, 12 * 1.5);
}

TEST(Bisect, FlippedWindows) {
  for (bool Verdicts : {false, true}) {
    Score S = score(
        {.Costs = {}, .Spread = 3, .Flips = 0.1, .Verdicts = Verdicts}, 300);
    EXPECT_GE(S.Right, 0.95) << Verdicts;
    EXPECT_LE(S.WrongCertain, 1) << Verdicts;
    EXPECT_LE(S.Search, 22 * 1.5) << Verdicts;
  }
}

TEST(Bisect, EffectOfFourSpreads) {
  Score S = score({.Costs = {}, .Spread = 25}, 200);
  EXPECT_GE(S.Right, 0.95);
  EXPECT_LE(S.WrongCertain, 2);
  EXPECT_LE(S.Search, 22 * 1.5);
}

TEST(Bisect, OutliersAndDrift) {
  Score S = score(
      {.Costs = {}, .Spread = 8, .Outliers = 0.05, .DriftPerWindow = 0.8}, 200);
  EXPECT_GE(S.Right, 0.95);
  EXPECT_LE(S.WrongCertain, 1);
}

TEST(Bisect, ReportsWhatTheCulpritExplains) {
  Result R = run({.Costs = {{700, 40}}, .Spread = 2}, 1);
  ASSERT_EQ(R.Outcome, Verdict::Found);
  ASSERT_EQ(R.Culprits.size(), 1u);
  EXPECT_EQ(R.Culprits[0].Candidate, 700u);
  EXPECT_GE(R.Culprits[0].Posterior, 0.99);
  EXPECT_LE(R.Culprits[0].P, 0.05);
  EXPECT_NEAR(R.Culprits[0].Explains, 1, 0.15);
  EXPECT_NEAR(R.Levels.Local, 100, 3);
  EXPECT_NEAR(R.Levels.Remote, 140, 3);
  EXPECT_EQ(R.Windows.Calibrate, 10u);
  EXPECT_EQ(R.Windows.Confirm, 10u);
}

TEST(Bisect, AMetricThatFallsWhenItIsWorse) {
  Result R = run({.Costs = {{5, -60}}, .Spread = 2}, 1, 16);
  ASSERT_EQ(R.Culprits.size(), 1u);
  EXPECT_EQ(R.Culprits[0].Candidate, 5u);
}

TEST(Bisect, SeveralCulprits) {
  // Mean search windows of the reference: 12, 23, 34, 56 for 1, 2, 3, 5.
  struct Case {
    unsigned Count;
    double Windows;
  };
  for (Case Want : {Case{2, 23}, Case{3, 34}, Case{5, 56}}) {
    double Search = 0;
    unsigned Right = 0;
    constexpr unsigned Seeds = 40;
    for (unsigned Seed = 0; Seed != Seeds; ++Seed) {
      std::mt19937_64 Random(Seed);
      Program P{.Costs = {}, .Spread = 1};
      while (P.Costs.size() != Want.Count)
        P.Costs[std::uniform_int_distribution<>(0, 1023)(Random)] = 50;
      Result R = run(P, Seed);
      std::vector<CandidateIndex> Found, Wanted;
      for (const linesman::bisect::Culprit &C : R.Culprits)
        Found.push_back(C.Candidate);
      for (auto [Candidate, Cost] : P.Costs)
        Wanted.push_back(Candidate);
      std::sort(Found.begin(), Found.end());
      Right += Found == Wanted && R.Outcome == Verdict::Found;
      Search += double(R.Windows.Search) / Seeds;
    }
    EXPECT_GE(Right, Seeds * 19 / 20) << Want.Count;
    EXPECT_LE(Search, Want.Windows * 1.5) << Want.Count;
  }
}

TEST(Bisect, TwoCulpritsOfAVerdict) {
  Result R = run({.Costs = {{100, 50}, {900, 50}}, .Verdicts = true}, 3);
  EXPECT_EQ(R.Outcome, Verdict::Found);
  EXPECT_EQ(R.Culprits.size(), 2u);
}

TEST(Bisect, RefusesWhatNoiseHides) {
  unsigned Refused = 0;
  for (unsigned Seed = 0; Seed != 50; ++Seed) {
    Result R = run({.Costs = {{700, 10}}, .Spread = 12}, Seed);
    Refused += R.Outcome == Verdict::TooNoisy || R.Outcome == Verdict::NoEffect;
    EXPECT_GE(R.LengthenBy, 1);
  }
  EXPECT_GE(Refused, 40u);
}

TEST(Bisect, NoEffectIsSaid) {
  EXPECT_EQ(run({}, 1).Outcome, Verdict::NoEffect);
  EXPECT_EQ(run({.Costs = {}, .Verdicts = true}, 1).Outcome, Verdict::NoEffect);
  EXPECT_EQ(run({.Costs = {}, .Spread = 5}, 1).Outcome, Verdict::NoEffect);
}

TEST(Bisect, OneDecisionBetweenNoEffectAndTooNoisy) {
  // The rates that docs/cli.md states. An effect of a tenth and more is called
  // none at most once in 40; quiet windows without an effect are never called
  // noisy, and loud ones always.
  auto Rate = [](double Cost, double Spread, Verdict Said) {
    unsigned Count = 0;
    constexpr unsigned Seeds = 400;
    for (unsigned Seed = 0; Seed != Seeds; ++Seed) {
      Program P{.Costs = {}, .Spread = Spread};
      if (Cost)
        P.Costs = {{7, Cost}};
      Result R = run(P, Seed, 16);
      Count += R.Outcome == Said;
      if (R.Outcome == Verdict::NoEffect || R.Outcome == Verdict::TooNoisy) {
        EXPECT_LE(R.Effect.Low, R.Effect.High);
        EXPECT_GT(R.Margin, 7);
      }
    }
    return double(Count) / Seeds;
  };
  for (double Spread : {6., 9., 14.})
    EXPECT_LE(Rate(12, Spread, Verdict::NoEffect), 0.025) << Spread;
  EXPECT_EQ(Rate(0, 2, Verdict::TooNoisy), 0);
  EXPECT_LE(Rate(0, 5, Verdict::TooNoisy), 0.05);
  EXPECT_GE(Rate(0, 25, Verdict::TooNoisy), 0.95);
}

TEST(Bisect, TwoEqualCulpritsShareAlike) {
  unsigned Found = 0, Within = 0;
  for (unsigned Seed = 0; Seed != 100; ++Seed) {
    Result R = run(
        {.Costs = {{100, 50}, {900, 50}}, .Spread = 4, .DriftPerWindow = 0.3},
        Seed);
    if (R.Culprits.size() != 2)
      continue;
    ++Found;
    Within += std::abs(R.Culprits[0].Explains - 0.5) <= 0.1 &&
              std::abs(R.Culprits[1].Explains - 0.5) <= 0.1;
    EXPECT_LE(R.Culprits[0].Explains + R.Culprits[1].Explains, 1.1);
  }
  EXPECT_GE(Found, 90u);
  EXPECT_GE(Within, Found * 95 / 100);
}

TEST(Bisect, DriftAndFlipsAreTakenOutOfTheLevels) {
  Result R = run({.Costs = {{5, 60}}, .Spread = 1, .DriftPerWindow = 1}, 2, 64);
  ASSERT_EQ(R.Culprits.size(), 1u);
  EXPECT_NEAR(R.Drift, 1, 0.1);
  // As in the middle of calibration, window 5 or 6.
  EXPECT_NEAR(R.Levels.Local, 105.5, 2);
  EXPECT_NEAR(R.Levels.Remote, 165.5, 2);
  EXPECT_NEAR(R.Culprits[0].Alone, 165.5, 2);
  EXPECT_NEAR(R.Culprits[0].AllBut, 105.5, 2);
  EXPECT_EQ(R.Judged, R.Windows.Calibrate + R.Windows.Confirm);
  EXPECT_EQ(R.Flipped, 0u);
  for (bool Verdicts : {false, true}) {
    double Flips = 0, All = 0;
    for (unsigned Seed = 0; Seed != 100; ++Seed) {
      Result F = run(
          {.Costs = {{5, 60}}, .Spread = 1, .Flips = 0.1, .Verdicts = Verdicts},
          Seed, 64);
      Flips += F.Flipped;
      All += F.Judged;
    }
    EXPECT_NEAR(Flips / All, 0.1, 0.03) << Verdicts;
  }
}

TEST(Bisect, LengthensTheWindowWhenThatHelps) {
  unsigned Right = 0;
  for (unsigned Seed = 0; Seed != 100; ++Seed) {
    Result R =
        run({.Costs = {{700, 30}}, .Spread = 11, .CanLengthen = true}, Seed);
    Right += R.Outcome == Verdict::Found && R.Culprits[0].Candidate == 700;
  }
  EXPECT_GE(Right, 85u);
}

TEST(Bisect, SkipsAreAskedAgain) {
  Result R = run({.Costs = {{700, 30}}, .Spread = 1, .Skips = 0.2}, 4);
  EXPECT_EQ(R.Outcome, Verdict::Found);
  EXPECT_GT(R.Windows.Skipped, 0u);
  EXPECT_EQ(run({.Costs = {{700, 30}}, .Skips = 1}, 4).Outcome,
            Verdict::Stopped);
}

TEST(Bisect, PriorsSaveWindows) {
  auto Search = [](double Weight) {
    double Sum = 0;
    for (unsigned Seed = 0; Seed != 50; ++Seed) {
      Program P{.Costs = {{Seed * 20, 30}}, .Spread = 1};
      SimulatedOracle O(P, Seed);
      Progress Quiet;
      std::vector<double> Prior(1024, 1);
      Prior[Seed * 20] = Weight;
      Sum += bisect({Prior, MetricKind::Number}, O, Quiet).Windows.Search;
    }
    return Sum / 50;
  };
  EXPECT_LE(Search(1000), Search(1) - 5);
}

TEST(Bisect, OneCandidate) {
  Result R = run({.Costs = {{0, 30}}, .Spread = 1}, 1, 1);
  EXPECT_EQ(R.Outcome, Verdict::Found);
  EXPECT_EQ(R.Windows.Search, 0u);
}

TEST(Bisect, TheSameOutcomesLeadToTheSameRequests) {
  Program P{.Costs = {{700, 100}}, .Spread = 10, .Flips = 0.05, .Skips = 0.05};
  SimulatedOracle A(P, 9), B(P, 9);
  Progress Quiet;
  Problem Task{std::vector<double>(1024, 1), MetricKind::Number};
  bisect(Task, A, Quiet);
  bisect(Task, B, Quiet);
  EXPECT_EQ(A.Requests, B.Requests);
  SimulatedOracle C(P, 9);
  C.StopAfter = 14;
  EXPECT_EQ(bisect(Task, C, Quiet).Outcome, Verdict::Stopped);
}

TEST(WindowLog, RoundTrip) {
  LoggedWindow A{{Stage::Calibrate, {}}, {WindowState::Measured, 0.1}};
  LoggedWindow B{{Stage::Search, {{0, 5}, {7, 8}}}, {WindowState::Skipped, 0}};
  LoggedWindow C{{Stage::Confirm, {{3, 4}}}, {WindowState::Measured, -1e300}};
  std::string Text = encodeLog({"identity", 1024, {{0, 5}, {7, 8}}, {A, B, C}});
  EXPECT_EQ(Text, "linesman-windows 2 1024 identity 0-4,7-7\n"
                  "calibrate - 0.1\n"
                  "search 0-4,7-7 skipped\n"
                  "confirm 3-3 -1e+300\n");
  size_t Bad;
  std::optional<WindowLog> Log = decodeLog(Text + "search 0-", Bad);
  ASSERT_TRUE(Log);
  EXPECT_EQ(Log->Identity, "identity");
  EXPECT_EQ(Log->Candidates, 1024u);
  EXPECT_EQ(Log->Written, B.Request.Remote);
  ASSERT_EQ(Log->Windows.size(), 3u);
  EXPECT_EQ(Log->Windows[1].Request, B.Request);
  EXPECT_EQ(Log->Windows[2].Outcome.Value, -1e300);
}

TEST(WindowLog, SaysWhereItIsBad) {
  size_t Bad = 0;
  EXPECT_FALSE(decodeLog("", Bad));
  for (const char *Header : {"1 4 x -", "2 x x -", "2 4 x", "2 4 x 0-x",
                             "2 4 x 3-4", "2 4 x 0-1 0-1"}) {
    EXPECT_FALSE(
        decodeLog("linesman-windows " + std::string(Header) + "\n", Bad))
        << Header;
    EXPECT_EQ(Bad, 1u);
  }
  for (const char *Line :
       {"", "walk - 1", "search 5-3 1", "search x-3 1", "search 0-3 fast",
        "search 0-3", "search  1", "search 0-3, 1", "search 0-4294967295 1"}) {
    std::string Text =
        encodeLog({"x", 4, {}, {}}) + "calibrate - 1\n" + Line + "\n";
    EXPECT_FALSE(decodeLog(Text, Bad)) << Line;
    EXPECT_EQ(Bad, 3u) << Line;
  }
}
