// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From windows to the fit, and from the fit to what is reported.

#include "ShareOut.h"
#include "linesman/Bisect/Shares.h"
#include <algorithm>
#include <cassert>

namespace linesman::bisect {

namespace {

class Sharing {
public:
  Sharing(const Problem &Task, std::span<const KnownState> Known, Result &R)
      : Task(Task), R(R) {
    const size_t Others = Task.Prior.size() - R.Culprits.size();
    for (const KnownState &State : Known) {
      KnownWindow W{State.Number, {}, false, State.Value};
      size_t Rest = State.Remote.size();
      for (const Culprit &C : R.Culprits) {
        bool Is = std::binary_search(State.Remote.begin(), State.Remote.end(),
                                     C.Candidate);
        W.Remote.push_back(Is);
        Rest -= Is;
      }
      // All others are remote together, or none is; the windows of a candidate
      // that was not confirmed are neither.
      if (Rest && Rest != Others)
        continue;
      W.Rest = Rest != 0;
      States.push_back(&State);
      Windows.push_back(std::move(W));
    }
  }

  void judgeVerdicts() {
    R.Judged = unsigned(Windows.size());
    for (const KnownWindow &W : Windows) {
      bool IsBad = W.Rest && R.Outcome == Verdict::Partly;
      for (bool Is : W.Remote)
        IsBad |= Is;
      R.Flipped += (W.Value != 0) != IsBad;
    }
  }

  void fit(std::span<const std::vector<CandidateIndex>> Rests, double Middle) {
    const double Effect = R.Levels.Remote - R.Levels.Local;
    std::optional<Shares> Fit =
        fitShares(Windows, R.Culprits.size(), R.Levels.Spread);
    if (!Fit || Fit->whole() * Effect <= 0)
      return;
    R.Judged = unsigned(Windows.size());
    R.Flipped =
        unsigned(std::count(Fit->IsStray.begin(), Fit->IsStray.end(), true));
    R.Drift = Fit->Drift;
    auto SetLevel = [&](double &Level, auto IsOf) {
      std::vector<double> Values;
      for (size_t I = 0; I != Windows.size(); ++I)
        if (!Fit->IsStray[I] && IsOf(States[I]->Remote))
          Values.push_back(Windows[I].Value -
                           Fit->Drift * (Windows[I].Number - Middle));
      if (!Values.empty())
        Level = median(Values);
    };
    using Set = std::vector<CandidateIndex>;
    SetLevel(R.Levels.Local, [](const Set &S) { return S.empty(); });
    SetLevel(R.Levels.Remote,
             [&](const Set &S) { return S.size() == Task.Prior.size(); });
    for (size_t I = 0; I != R.Culprits.size(); ++I) {
      Culprit &C = R.Culprits[I];
      SetLevel(C.Alone, [&](const Set &S) { return S == Set{C.Candidate}; });
      SetLevel(C.AllBut, [&](const Set &S) { return S == Rests[I]; });
      C.Explains = std::clamp(Fit->Costs[I] / Fit->whole(), 0.0, 1.0);
    }
  }

private:
  const Problem &Task;
  Result &R;
  /// Of one length.
  std::vector<const KnownState *> States;
  std::vector<KnownWindow> Windows;
};

} // namespace

void shareOut(const Problem &Task, std::span<const KnownState> Known,
              std::span<const std::vector<CandidateIndex>> Rests, double Middle,
              Result &R) {
  assert(std::all_of(Known.begin(), Known.end(), [](const KnownState &State) {
    return std::is_sorted(State.Remote.begin(), State.Remote.end());
  }));
  Sharing Between(Task, Known, R);
  if (Task.Metric == MetricKind::Verdict)
    Between.judgeVerdicts();
  else
    Between.fit(Rests, Middle);
}

} // namespace linesman::bisect
