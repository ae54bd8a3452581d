// What the examples measure with: processor time of a thread, threads on
// processors of their own, a start at the same time, and the time in which all
// of them ran. Two threads that do not run at once cannot fight over a line.
//
//     thread 0   |---|---|---|       |---|---|---|---|      | a slice of work
//     thread 1   |---|---|---|---|---|---|       |---|      blank: not running
//     counts      yes yes yes             yes     yes

#ifndef EXAMPLES_THREADS_H
#define EXAMPLES_THREADS_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <sched.h>
#include <vector>

/// Other programs on the machine do not count.
inline double threadSeconds() {
  timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return Now.tv_sec + Now.tv_nsec * 1e-9;
}

/// On a processor of its own, as far as there are enough.
inline void pinThread(unsigned Thread) {
  cpu_set_t Allowed, One;
  if (sched_getaffinity(0, sizeof(Allowed), &Allowed) != 0)
    return;
  unsigned Skip = Thread % CPU_COUNT(&Allowed);
  for (int Cpu = 0; Cpu != CPU_SETSIZE; ++Cpu) {
    if (!CPU_ISSET(Cpu, &Allowed) || Skip--)
      continue;
    CPU_ZERO(&One);
    CPU_SET(Cpu, &One);
    sched_setaffinity(0, sizeof(One), &One);
    return;
  }
}

/// Lets nobody go on before all are there.
class Start {
public:
  explicit Start(unsigned Threads) : Missing(Threads) {}
  void await() {
    --Missing;
    while (Missing.load(std::memory_order_relaxed) != 0)
      ;
  }

private:
  alignas(64) std::atomic<unsigned> Missing;
};

/// A thread's operations, cut into slices of a tenth of a millisecond or more:
///
///     for (uint64_t I = 0; Own.goesOn(I); ++I)
///       ... an operation ...
///
/// Slices are compared after the threads have ended, so that nothing is shared
/// for it while they run.
class alignas(64) Slices {
public:
  explicit Slices(uint64_t Operations) : Operations(Operations) {}

  /// Whether there are more than \p Done. The numbers begin with 0.
  bool goesOn(uint64_t Done) { return Done != NextCut || cut(Done); }

  /// Operations a second of processor time, of the slices in which this thread
  /// ran all the time and \p Others did, too. 0 when there are none.
  double rateBeside(const std::vector<Slices> &Others) const {
    double Counted = 0, Seconds = 0;
    for (size_t I = 0; I + 1 < Cuts.size(); ++I) {
      const Cut &Begin = Cuts[I], &End = Cuts[I + 1];
      if (!std::all_of(Others.begin(), Others.end(), [&](const Slices &Other) {
            return Other.ranFrom(Begin.Wall, End.Wall);
          }))
        continue;
      Counted += End.Done - Begin.Done;
      Seconds += End.Processor - Begin.Processor;
    }
    return Seconds > 0 ? Counted / Seconds : 0;
  }

  /// Of all slices, whoever ran beside them.
  double rateAlone() const {
    return Cuts.back().Done / (Cuts.back().Processor - Cuts.front().Processor);
  }

private:
  struct Cut {
    double Wall, Processor;
    uint64_t Done;
  };
  std::vector<Cut> Cuts;
  uint64_t Operations, NextCut = 0, Part = 1024;

  [[gnu::noinline]] bool cut(uint64_t Done) {
    if (Cuts.empty())
      Cuts.reserve(1 << 14);
    timespec Now;
    clock_gettime(CLOCK_MONOTONIC, &Now);
    Cuts.push_back({Now.tv_sec + Now.tv_nsec * 1e-9, threadSeconds(), Done});
    if (Cuts.size() > 1 && Cuts.back().Wall - Cuts.end()[-2].Wall < 1e-4)
      Part *= 2;
    NextCut = std::min(Done + Part, Operations);
    return Done != Operations;
  }

  /// Whether no slice of that time had the thread off its processor. One that
  /// was waits for milliseconds; an interrupt does not last long enough.
  bool ranFrom(double Begin, double End) const {
    auto At = std::upper_bound(
        Cuts.begin(), Cuts.end(), Begin,
        [](double Time, const Cut &C) { return Time < C.Wall; });
    if (At == Cuts.begin())
      return false;
    for (; At != Cuts.end(); ++At) {
      double Wall = At->Wall - At[-1].Wall;
      if (At->Processor - At[-1].Processor < 0.95 * Wall)
        return false;
      if (At->Wall >= End)
        return true;
    }
    return false;
  }
};

/// Each thread's operations a second while all of them ran.
inline std::vector<double> ratesTogether(const std::vector<Slices> &All) {
  std::vector<double> Rates;
  for (const Slices &Own : All)
    Rates.push_back(Own.rateBeside(All));
  if (std::count(Rates.begin(), Rates.end(), 0.0) == 0)
    return Rates;
  std::fprintf(stderr, "note: not all threads ran at the same time, so this is "
                       "what they do without each other\n");
  for (size_t I = 0; I != All.size(); ++I)
    Rates[I] = All[I].rateAlone();
  return Rates;
}

#endif // EXAMPLES_THREADS_H
