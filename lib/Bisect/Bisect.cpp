// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calibrate, search, confirm, repeat. The numbers come from simulation
// (test/unit/Bisect reproduces it).

#include "linesman/Bisect/Bisect.h"
#include "ShareOut.h"
#include "linesman/Bisect/Statistics.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace linesman::bisect {

Oracle::~Oracle() = default;
Lengthening Oracle::lengthen(double) { return Lengthening::NotPossible; }
Progress::~Progress() = default;
void Progress::next(const WindowRequest &, const WindowCounts &, Guess) {}

double Calibration::effectOverSpread() const {
  return std::abs(Remote - Local) / Spread;
}

namespace {

constexpr unsigned CalibrationPairs = 5, ConfirmationPairs = 5;
/// The window is lengthened below Reliable, and the search refused below
/// Hopeless, in units of effect / spread.
constexpr double Reliable = 4, Hopeless = 2;
constexpr double LongestFactor = 8;
constexpr double StopAt = 0.99;
/// Part of the windows that show neither state: a cron job ran.
constexpr double OutlierFloor = 0.03;
constexpr double Significant = 0.05;
/// What is left is worth another search from this part of the slow-down on.
constexpr double WorthSearching = 0.1;
constexpr unsigned MostCulprits = 16, MostAttempts = 3, MostSkips = 5;
/// Culprits that share the effect: how likely, and from which effect / spread
/// on their steps can be seen.
constexpr double SharedEffect = 0.3, SharesVisible = 8;
/// How much of a window's residual the drift follows.
constexpr double DriftGain = 0.15;
/// An effect that matters: this part of a number, and a verdict that more than
/// half of the windows would have changed.
constexpr double NumberMargin = 0.1, VerdictMargin = 0.5;

class Search {
public:
  Search(const Problem &Task, Oracle &Ask, Progress &Tell)
      : Task(Task), Ask(Ask), Tell(Tell) {}

  Result run() {
    if (calibrate()) {
      findAll();
      if (!R.Culprits.empty() && R.Outcome != Verdict::Stopped)
        shareOut(Task, Known, Rests, Middle, R);
    }
    if (R.Outcome == Verdict::NoEffect && Task.AsksForWhole)
      measureWhole();
    if (R.Outcome == Verdict::Stopped && Best.Probability > 0)
      R.Suspect = Best;
    return std::move(R);
  }

private:
  const Problem &Task;
  Oracle &Ask;
  Progress &Tell;
  Result R;
  Guess Best;
  /// Added to both levels: what the machine has drifted since calibration.
  double Drift = 0;
  /// The level with all that is still searched remote.
  double Remote = 0;
  bool Stopped = false;

  double local() const { return R.Levels.Local + Drift; }
  double remote() const { return Remote + Drift; }
  double sign() const { return R.Levels.Remote < R.Levels.Local ? -1 : 1; }

  /// Ranges for all candidates but the excluded, below an end.
  std::vector<CandidateRange>
  ranges(const std::vector<CandidateIndex> &Members) const {
    std::vector<CandidateRange> Result;
    for (CandidateIndex I : Members) {
      if (!Result.empty() && Result.back().End == I)
        ++Result.back().End;
      else
        Result.push_back({I, I + 1});
    }
    return Result;
  }

  std::vector<CandidateIndex> all() const {
    std::vector<CandidateIndex> Result(Task.Prior.size());
    std::iota(Result.begin(), Result.end(), 0);
    return Result;
  }

  void count(Stage Purpose) {
    switch (Purpose) {
    case Stage::Calibrate:
      ++R.Windows.Calibrate;
      break;
    case Stage::Search:
      ++R.Windows.Search;
      break;
    case Stage::Confirm:
      ++R.Windows.Confirm;
      break;
    case Stage::Whole:
      ++R.Windows.Whole;
      break;
    }
  }

  /// A pair is too few for a proof, and enough for a direction.
  void measureWhole() {
    std::optional<double> A = measure(Stage::Whole, {});
    std::optional<double> B = A ? measure(Stage::Whole, all()) : std::nullopt;
    if (B)
      R.Whole = {*A, *B};
    // The answer about the candidates stands.
    R.Outcome = Verdict::NoEffect;
  }

  /// One window, again when it is skipped. Nothing when it can not go on.
  std::optional<double> measure(Stage Purpose,
                                const std::vector<CandidateIndex> &Members) {
    WindowRequest Request{Purpose, ranges(Members)};
    for (unsigned Skips = 0; !Stopped && Skips != MostSkips; ++Skips) {
      Tell.next(Request, R.Windows, Best);
      WindowOutcome Outcome = Ask.measure(Request);
      if (Outcome.State == WindowState::Skipped) {
        ++R.Windows.Skipped;
        continue;
      }
      if (Outcome.State == WindowState::Stopped)
        break;
      count(Purpose);
      if (Purpose != Stage::Search && Purpose != Stage::Whole)
        Known.push_back({double(R.Windows.total()), Members, Outcome.Value});
      return Outcome.Value;
    }
    Stopped = true;
    R.Outcome = Verdict::Stopped;
    return std::nullopt;
  }

  /// Alternating windows of two states, ABBA, so that a steady drift adds the
  /// same to both.
  bool alternate(Stage Purpose, const std::vector<CandidateIndex> &MembersA,
                 const std::vector<CandidateIndex> &MembersB, unsigned Pairs,
                 std::vector<double> &A, std::vector<double> &B) {
    for (unsigned I = 0; I != 2 * Pairs; ++I) {
      bool IsA = I % 4 == 0 || I % 4 == 3;
      std::optional<double> Value = measure(Purpose, IsA ? MembersA : MembersB);
      if (!Value)
        return false;
      (IsA ? A : B).push_back(*Value);
    }
    return true;
  }

  void setLevels(const std::vector<double> &A, const std::vector<double> &B) {
    R.Levels.Local = median(A);
    R.Levels.Remote = median(B);
    double Effect = std::abs(R.Levels.Remote - R.Levels.Local);
    // A metric without noise is still not exact.
    double Least = std::max(Effect / 50, 1e-9 * std::abs(R.Levels.Local));
    R.Levels.Spread = std::max({pooledSpread(A, B), Least, 1e-300});
  }

  /// Whether the effect is large enough to search for.
  bool calibrate() {
    std::vector<double> A, B;
    auto More = [&] {
      if (!alternate(Stage::Calibrate, {}, all(), CalibrationPairs, A, B))
        return false;
      setLevels(A, B);
      return true;
    };
    if (!More())
      return false;
    if (R.Levels.effectOverSpread() < Hopeless && !More())
      return false;
    double Ratio = R.Levels.effectOverSpread();
    if (Ratio < Reliable) {
      // The spread falls with the square root of the time.
      R.LengthenBy =
          std::ceil(std::pow(Reliable / std::max(Ratio, 0.1), 2) * 1.5);
      if (R.LengthenBy <= LongestFactor &&
          Ask.lengthen(R.LengthenBy) == Lengthening::Done) {
        A.clear();
        B.clear();
        Known.clear();
        if (!More())
          return false;
        Ratio = R.Levels.effectOverSpread();
        if (Ratio >= Reliable)
          R.LengthenBy = 1;
      }
    }
    if (Ratio < Hopeless) {
      decideWithout(A, B);
      return false;
    }
    Remote = R.Levels.Remote;
    Middle = R.Windows.total() - (double(A.size() + B.size()) - 1) / 2;
    Calibrated = {std::move(A), std::move(B)};
    return true;
  }

  /// What there is to say without a search, by one interval: it lies within the
  /// margin, so that nothing that matters is there, or it does not.
  void decideWithout(const std::vector<double> &A,
                     const std::vector<double> &B) {
    const bool IsVerdict = Task.Metric == MetricKind::Verdict;
    R.Effect = IsVerdict ? partInterval(A, B) : shiftInterval(A, B);
    R.Margin = IsVerdict ? VerdictMargin
                         : NumberMargin * std::max(std::abs(R.Levels.Local),
                                                   std::abs(R.Levels.Remote));
    const bool IsWithin =
        R.Effect.Low >= -R.Margin && R.Effect.High <= R.Margin;
    R.Outcome = IsWithin ? Verdict::NoEffect : Verdict::TooNoisy;
  }

  std::vector<KnownState> Known;
  /// For each culprit, what was remote when it was not.
  std::vector<std::vector<CandidateIndex>> Rests;
  /// The window in the middle of calibration.
  double Middle = 0;

  /// The windows of calibration; their states are known.
  std::pair<std::vector<double>, std::vector<double>> Calibrated;

  /// Usually one culprit has the whole effect; several share it, and a window
  /// is then somewhere in between. Where noise is as wide as the steps between,
  /// allowing for them only blurs the two levels.
  double shareWeight() const {
    bool Tells = R.Levels.effectOverSpread() >= SharesVisible &&
                 Task.Metric == MetricKind::Number;
    return Tells ? SharedEffect : 0;
  }

  Likelihood likelihood(double Value) const {
    double Scale = R.Levels.Spread, Effect = std::abs(remote() - local());
    double Above = (Value - local()) * sign();
    double Shared = shareWeight();
    double Bad = (1 - Shared) * studentDensity(Value, remote(), Scale);
    if (Above > 3 * Scale && Above < Effect + 3 * Scale)
      Bad += Shared / Effect;
    double Good = studentDensity(Value, local(), Scale);
    // An outlier is anywhere within some effects of the levels.
    double Flat = 1 / (Effect * 4 + 6 * Scale);
    auto WithFloor = [&](double Density) {
      return (1 - OutlierFloor) * Density + OutlierFloor * Flat;
    };
    return {WithFloor(Bad), WithFloor(Good)};
  }

  void followDrift(double Value, double ProbablyBad) {
    if (Task.Metric == MetricKind::Verdict)
      return;
    double Residual = Value - (ProbablyBad > 0.5 ? remote() : local());
    // Undecided windows, outliers and shared effects say nothing about drift.
    if (std::abs(ProbablyBad - 0.5) > 0.4 &&
        std::abs(Residual) < 3 * R.Levels.Spread)
      Drift += DriftGain * Residual;
  }

  Posterior start(const std::vector<CandidateIndex> &Left) const {
    std::vector<double> Prior;
    double Total = 0;
    for (CandidateIndex I : Left)
      Total += Task.Prior[I];
    // A prior is a hint: each candidate keeps its part of one fifth.
    for (CandidateIndex I : Left)
      Prior.push_back(0.8 * Task.Prior[I] / Total + 0.2 / Left.size());
    Posterior P(Prior, FlipRates::unknown());
    for (double Value : Calibrated.first) {
      Likelihood L = likelihood(Value);
      std::swap(L.Bad, L.Good);
      P.updateKnownBad(L);
    }
    for (double Value : Calibrated.second)
      P.updateKnownBad(likelihood(Value));
    return P;
  }

  static std::vector<CandidateIndex>
  prefix(const std::vector<CandidateIndex> &Left, size_t Cut) {
    return {Left.begin(), Left.begin() + Cut};
  }

  /// Whether the posterior names one candidate.
  bool search(const std::vector<CandidateIndex> &Left, Posterior &P) {
    // Four times what 20 % flips need; then it will not come.
    unsigned Most =
        R.Windows.Search + 60 + unsigned(12 * std::log2(Left.size() + 1));
    while (true) {
      Guess Now = P.best();
      Best = {Left[Now.Candidate], Now.Probability};
      if (Now.Probability >= StopAt)
        return true;
      if (R.Windows.Search >= Most)
        return false;
      size_t Cut = P.nextCut();
      std::optional<double> Value = measure(Stage::Search, prefix(Left, Cut));
      if (!Value)
        return false;
      P.updatePrefix(Cut, likelihood(*Value));
      followDrift(*Value, P.massBefore(Cut));
    }
  }

  /// Windows of one culprit's confirmation.
  struct Confirmation {
    std::vector<double> Alone, AllBut, None;
    double P = 1;
    bool Holds = false;
    /// Others are bad without the candidate.
    bool LeavesRest = false;
  };

  /// An outlier is worth no more than a window that is clearly bad or good.
  /// The same cut for all values keeps the permutation exact.
  double significance(std::vector<double> A, std::vector<double> B) const {
    double Room = 3 * R.Levels.Spread;
    double Low = std::min(local(), remote()) - Room;
    double High = std::max(local(), remote()) + Room;
    for (std::vector<double> *Sample : {&A, &B})
      for (double &Value : *Sample)
        Value = std::clamp(Value, Low, High);
    return permutationP(A, B, sign());
  }

  bool decide(Confirmation &C, const std::vector<double> &Baseline,
              unsigned Looks) const {
    // Each look is one more chance to be wrong.
    C.P = std::min(1.0, significance(C.Alone, Baseline) * Looks);
    return C.Holds = C.P <= Significant;
  }

  /// That candidate alone remote against all but it; against none where the
  /// others are bad too.
  bool confirm(const std::vector<CandidateIndex> &Left,
               CandidateIndex Candidate, Confirmation &C) {
    std::vector<CandidateIndex> Others = Left;
    std::erase(Others, Candidate);
    for (unsigned Look = 1; Look <= 2; ++Look) {
      if (!alternate(Stage::Confirm, {Candidate}, Others, ConfirmationPairs,
                     C.Alone, C.AllBut))
        return false;
      if (decide(C, C.AllBut, Look))
        break;
      // Only what might still hold is worth more windows.
      if (std::abs(median(C.Alone) - local()) <
          std::abs(remote() - local()) * WorthSearching)
        return true;
      if (seemsToLeaveRest(C))
        break;
    }
    if (!C.Holds) {
      C.Alone.clear();
      for (unsigned Look = 1; Look <= 2 && !C.Holds; ++Look) {
        if (!alternate(Stage::Confirm, {Candidate}, {}, ConfirmationPairs,
                       C.Alone, C.None))
          return false;
        decide(C, C.None, Look + 1);
      }
    }
    return !C.Holds || !seemsToLeaveRest(C) || measureRest(Others, C);
  }

  /// Whether the others look bad without the candidate, by levels that may
  /// have drifted.
  bool seemsToLeaveRest(const Confirmation &C) const {
    return (median(C.AllBut) - local()) * sign() >=
           std::max(WorthSearching * whole(), R.Levels.Spread);
  }

  /// Decides it side by side, and takes the levels anew.
  bool measureRest(const std::vector<CandidateIndex> &Others, Confirmation &C) {
    C.AllBut.clear();
    C.None.clear();
    if (!alternate(Stage::Confirm, Others, {}, ConfirmationPairs, C.AllBut,
                   C.None))
      return false;
    double Rest = (median(C.AllBut) - median(C.None)) * sign();
    C.LeavesRest = Rest >= WorthSearching * whole() &&
                   significance(C.AllBut, C.None) <= Significant;
    Drift = median(C.None) - R.Levels.Local;
    return true;
  }

  double whole() const { return std::abs(R.Levels.Remote - R.Levels.Local); }

  /// A search that ended at the wrong place believed its windows too much: ten
  /// of calibration can look far quieter than the rest, or it has drifted.
  void learnFrom(const Confirmation &C) {
    R.Levels.Spread =
        std::max(R.Levels.Spread,
                 pooledSpread(C.Alone, C.None.empty() ? C.AllBut : C.None));
    Drift = median(C.None.empty() ? C.Alone : C.None) - R.Levels.Local;
  }

  void findAll() {
    std::vector<CandidateIndex> Left = all();
    bool Rest = true;
    while (Rest && !Left.empty() && R.Culprits.size() != MostCulprits) {
      Posterior P = start(Left);
      bool Confirmed = false;
      for (unsigned Attempt = 0; !Confirmed && Attempt != MostAttempts;
           ++Attempt) {
        if (!search(Left, P))
          break;
        CandidateIndex Index = P.best().Candidate;
        Culprit Found{Left[Index], P.best().Probability};
        Confirmation C;
        if (!confirm(Left, Found.Candidate, C))
          break;
        if (!C.Holds) {
          learnFrom(C);
          P = start(Left);
          // What was seen is evidence too.
          for (double Value : C.Alone)
            P.updateSingle(Index, likelihood(Value));
          continue;
        }
        Confirmed = true;
        Found.P = C.P;
        Found.Alone = median(C.Alone);
        Found.AllBut = median(C.AllBut);
        Rest = C.LeavesRest;
        double Base = C.None.empty() ? Found.AllBut : median(C.None);
        Found.Explains = std::clamp((Found.Alone - Base) /
                                        (R.Levels.Remote - R.Levels.Local),
                                    0.0, 1.0);
        R.Culprits.push_back(Found);
        Rests.push_back(Left);
        std::erase(Rests.back(), Found.Candidate);
        Left.erase(Left.begin() + Index);
        Remote = Found.AllBut - Drift;
      }
      R.FlipRate = P.flipRate();
      if (Stopped)
        return;
      if (!Confirmed) {
        R.Suspect = Best;
        R.Outcome = R.Culprits.empty() ? Verdict::Undecided : Verdict::Partly;
        return;
      }
    }
    R.Outcome = Rest ? Verdict::Partly : Verdict::Found;
  }
};

} // namespace

Result bisect(const Problem &Task, Oracle &Ask, Progress &Tell) {
  return Search(Task, Ask, Tell).run();
}

} // namespace linesman::bisect
