// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Watch/AccessRates.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

/// A window in which the thread ran less says nothing, in nanoseconds.
static constexpr double ShortestWindow = 50'000;
/// Of a window that ends at a bound, the intervals after its first hit and up
/// to its last one are left out: the first hit finds the kernel's code cold,
/// which takes 1 to 3 µs more, and the last one disables the watchpoint, 5 to 9
/// µs (test/bench/price.cpp). In a window of ten they were more than nine
/// tenths of the time between the hits of a loop.
static constexpr size_t SpoiltHits = 1;
/// Of all gaps, the longest that count as long as the longest of the others: of
/// hits in two loops beside each other, one in fifteen was interrupted. Bursts
/// of more accesses fill a window of ten anyway.
static constexpr double LongestShare = 1.0 / 10;
/// Two hits that are closer than this part of what one costs are one access, to
/// two ranges.
static constexpr double OneAccess = 0.5;

/// In their order. Where a bound was reached, only those before that: what
/// comes then was not watched alike.
static std::vector<Hit> hitsOf(const ThreadStep &Thread, ArrayRef<Hit> Hits) {
  std::vector<Hit> Own;
  copy_if(Hits, std::back_inserter(Own),
          [&](const Hit &H) { return H.Thread == Thread.Thread; });
  stable_sort(Own, [](const Hit &A, const Hit &B) { return A.Time < B.Time; });
  uint64_t End = std::numeric_limits<uint64_t>::max();
  for (unsigned I = 0; I != Thread.Exposures.size(); ++I) {
    if (!(Thread.Ceilings & (1U << I)))
      continue;
    auto Last =
        find_if(reverse(Own), [&](const Hit &H) { return H.AimIndex == I; });
    // The bound was reached by hits that nobody can name.
    End = Last == Own.rend() ? 0 : std::min(End, Last->Time);
  }
  erase_if(Own, [&](const Hit &H) { return H.Time > End; });
  return Own;
}

AccessRates::Window AccessRates::windowOf(const ThreadStep &Thread,
                                          ArrayRef<Hit> Own) const {
  Window Result;
  auto costOf = [&](const Hit &H) -> const HitInterval & {
    return H.Kind == AccessKind::Write ? Cost.Write : Cost.Read;
  };
  if (!Thread.Ceilings) {
    double Ran = double(Thread.Exposures[0].Accesses);
    for (const Hit &H : Own)
      Ran -= costOf(H).Mean;
    Result.Longest = Result.Shortest = std::max(0.0, Ran);
    Result.Hits = Own.size();
    Result.End = std::numeric_limits<uint64_t>::max();
    return Result;
  }
  if (Own.size() < 2 + 2 * SpoiltHits)
    return Result;
  Own = Own.drop_front(SpoiltHits).drop_back(SpoiltHits);
  Result.Begin = Own.front().Time;
  Result.End = Own.back().Time;
  std::vector<float> Gaps;
  for (size_t I = 1; I != Own.size(); ++I) {
    const HitInterval &C = costOf(Own[I - 1]);
    double Interval = double(Own[I].Time - Own[I - 1].Time);
    if (Interval < OneAccess * C.Median)
      continue;
    Gaps.push_back(float(Interval - C.Median));
  }
  if (Gaps.empty())
    return {};
  Result.Hits = Gaps.size();
  llvm::sort(Gaps);
  Result.Shortest =
      std::max(0.0, double(Gaps[Gaps.size() / 4]) * double(Gaps.size()));
  Result.Gaps = std::move(Gaps);
  return Result;
}

void AccessRates::add(ArrayRef<Aim> Aims, const StepResult &Step) {
  if (any_of(Aims, [](const Aim &A) { return A.Bytes.Size != 8; }))
    return;
  for (const ThreadStep &T : Step.Threads) {
    std::vector<Hit> Own = hitsOf(T, Step.Hits);
    Window W = windowOf(T, Own);
    if (T.Ceilings ? !W.Hits : W.Longest < ShortestWindow)
      continue;
    double Doubt = Cost.resolution() * W.Hits;
    for (unsigned I = 0; I != Aims.size(); ++I) {
      unsigned Reads = 0, Writes = 0;
      for (const Hit &H : Own)
        if (H.AimIndex == I && H.Time > W.Begin && H.Time <= W.End)
          ++(H.Kind == AccessKind::Write ? Writes : Reads);
      Sums &S = Cells[{T.Thread, Aims[I].Line, Aims[I].Bytes.Offset / 8}];
      ++S.Windows;
      if (Reads + Writes) {
        S.Met += W.Hits;
        S.Own += W.Shortest;
        if (T.Ceilings) {
          ++S.Bounded;
          S.Doubt += Doubt;
          append_range(S.Gaps, W.Gaps);
        }
      }
      auto note = [&](Sum &Total, unsigned Count) {
        if (!Count)
          return;
        // No window alone decides that it is unbounded.
        Total.Rates.High += Count * 1e9 / std::max(W.Shortest, Doubt);
        if (T.Ceilings) {
          Total.Hits += Count;
          return;
        }
        double Low = Count * 1e9 / (W.Longest + Doubt);
        Total.Rates.Low += Low;
        Total.Squares += Low * Low;
      };
      note(S.Reads, Reads);
      note(S.Writes, Writes);
    }
  }
}

/// Nanoseconds between two hits at most, with two standard errors, and without
/// what interrupted them.
double AccessRates::longestOfBounded(const Sums &Cell) {
  std::vector<float> Gaps = Cell.Gaps;
  auto Cut =
      Gaps.end() - 1 - std::ptrdiff_t(LongestShare * double(Gaps.size()));
  std::nth_element(Gaps.begin(), Cut, Gaps.end());
  const double Most = std::max(0.0F, *Cut), Count = double(Gaps.size());
  double Sum = 0, Squares = 0;
  for (double Gap : Gaps) {
    Gap = std::clamp(Gap, 0.0, Most);
    Sum += Gap;
    Squares += Gap * Gap;
  }
  double Variance = Squares / Count - Sum / Count * Sum / Count;
  return (Sum + Cell.Doubt) / Count +
         2 * std::sqrt(std::max(0.0, Variance) / Count);
}

Rate AccessRates::mean(const Sum &Counted, const Sums &Cell) const {
  const double Windows = Cell.Windows;
  Rate Result{Counted.Rates.Low / Windows, Counted.Rates.High / Windows};
  // Of all windows, as the doubt is in what a hit costs, which is one number.
  if (double Gap = Cell.Own / Cell.Met; Counted.Rates.High > 0)
    Result.High = Gap > Cost.resolution()
                      ? Result.High * Gap / (Gap - Cost.resolution())
                      : Rate::Unbounded;
  double Variance = Counted.Squares / Windows - Result.Low * Result.Low;
  double Error = 2 * std::sqrt(std::max(0.0, Variance) / Windows);
  Result.Low = std::max(0.0, Result.Low - Error);
  Result.High += Error;
  // Windows that end by hits are shorter where there are more: their time is
  // one sum.
  if (Counted.Hits)
    Result.Low += double(Counted.Hits) / double(Cell.Gaps.size()) /
                  longestOfBounded(Cell) * 1e9 * Cell.Bounded / Windows;
  Result.High = std::max(Result.High, Result.Low);
  return Result;
}

std::string AccessRates::whyNone(unsigned Line,
                                 ArrayRef<LineRate> Known) const {
  if (Known.size() > 1)
    return "";
  if (Known.size() == 1)
    return "only one thread was met in steps that tell how often";
  unsigned Fewest = FewestWindows;
  bool IsMet = false;
  for (const auto &[Key, S] : Cells)
    if (Key.Line == Line && S.Met) {
      Fewest = std::min(Fewest, S.Windows);
      IsMet = true;
    }
  return "watched too briefly: of the " + std::to_string(FewestWindows) +
         " times that a rate takes, the word that was watched least has " +
         std::to_string(IsMet ? Fewest : 0);
}

std::vector<LineRate>
AccessRates::rates(unsigned Line, function_ref<bool(ThreadId)> IsIdle) const {
  std::map<ThreadId, LineRate> Threads;
  for (const auto &[Key, S] : Cells) {
    if (Key.Line != Line || !S.Met)
      continue;
    if (S.Windows < FewestWindows) {
      if (IsIdle && IsIdle(Key.Thread))
        continue;
      return {};
    }
    LineRate &Sum = Threads[Key.Thread];
    Sum.Thread = Key.Thread;
    auto take = [&](Rate &Total, Rate Part) {
      Total.Low += Part.Low;
      Total.High += Part.High;
    };
    take(Sum.Reads, mean(S.Reads, S));
    take(Sum.Writes, mean(S.Writes, S));
  }
  std::vector<LineRate> Result;
  for (const auto &[Thread, Sum] : Threads)
    Result.push_back(Sum);
  return Result;
}

} // namespace linesman::watch
