// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short stretches, of which the quick ones count: in the others one of the two
// threads had no processor for a while, or the caches were cold. On a machine
// with five programs for two processors more than half are like that (the
// median of a ping-pong was 165 ns there, and 32 when it was quiet).

#include "linesman/Drive/LineTransfers.h"
#include "Clock.h"
#include "linesman/Bisect/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <sched.h>
#include <set>
#include <thread>

using namespace llvm;

namespace linesman::drive {

namespace {

/// Far enough from everything else, also for a prefetcher of pairs of lines.
struct alignas(256) LineWord {
  std::atomic<uint32_t> Value{0};
};

/// Some microseconds each: shorter than a scheduler's slice.
constexpr unsigned TripsOfStretch = 100, MostStretches = 301;

bool pin(int Cpu) {
  cpu_set_t Set;
  CPU_ZERO(&Set);
  CPU_SET(Cpu, &Set);
  return ::sched_setaffinity(0, sizeof Set, &Set) == 0;
}

double nanosecondsSince(Clock::time_point Begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - Begin).count();
}

/// Runs \p Work on \p Cpu in a thread of its own.
template <typename Function>
std::thread startOn(int Cpu, std::atomic<bool> &Failed, Function Work) {
  return std::thread([Cpu, &Failed, Work] {
    if (!pin(Cpu))
      Failed = true;
    Work();
  });
}

/// The tenth of the stretches that are quickest ends here.
double quickest(std::vector<double> Nanoseconds) {
  auto Tenth = Nanoseconds.begin() + Nanoseconds.size() / 10;
  std::nth_element(Nanoseconds.begin(), Tenth, Nanoseconds.end());
  return *Tenth;
}

Expected<double> measurePair(int Server, int Answerer) {
  LineWord Ball;
  std::atomic<bool> Failed{false};
  std::vector<double> Nanoseconds;
  constexpr uint32_t Trips = TripsOfStretch * MostStretches;
  std::thread Answer = startOn(Answerer, Failed, [&Ball] {
    for (uint32_t I = 0; I != Trips; ++I) {
      while (Ball.Value.load(std::memory_order_acquire) != 2 * I + 1)
        ;
      Ball.Value.store(2 * I + 2, std::memory_order_release);
    }
  });
  std::thread Serve = startOn(Server, Failed, [&Ball, &Nanoseconds] {
    for (uint32_t Stretch = 0; Stretch != MostStretches; ++Stretch) {
      Clock::time_point Begin = Clock::now();
      for (uint32_t I = Stretch * TripsOfStretch;
           I != (Stretch + 1) * TripsOfStretch; ++I) {
        Ball.Value.store(2 * I + 1, std::memory_order_release);
        while (Ball.Value.load(std::memory_order_acquire) != 2 * I + 2)
          ;
      }
      // There and back.
      Nanoseconds.push_back(nanosecondsSince(Begin) / TripsOfStretch / 2);
    }
  });
  Serve.join();
  Answer.join();
  if (Failed)
    return createStringError("threads cannot be pinned to processors here "
                             "(sched_setaffinity)");
  return quickest(std::move(Nanoseconds));
}

/// Different packages first, then different caches, then the rest.
std::vector<int> chooseCpus(const Machine &Host, unsigned Most) {
  cpu_set_t Allowed;
  CPU_ZERO(&Allowed);
  ::sched_getaffinity(0, sizeof Allowed, &Allowed);
  std::vector<int> Chosen;
  std::set<int> Packages, Caches;
  auto take = [&](auto IsNew) {
    for (const Cpu &C : Host.Cpus)
      if (Chosen.size() < Most && CPU_ISSET(C.Number, &Allowed) &&
          !is_contained(Chosen, C.Number) && IsNew(C)) {
        Chosen.push_back(C.Number);
        Packages.insert(C.Package);
        Caches.insert(C.LastLevelCache);
      }
  };
  take([&](const Cpu &C) { return !Packages.count(C.Package); });
  take([&](const Cpu &C) { return !Caches.count(C.LastLevelCache); });
  take([](const Cpu &) { return true; });
  llvm::sort(Chosen);
  return Chosen;
}

/// Nanoseconds of an addition on \p Cpu, while \p Other adds too; alone for -1.
/// MostStretches in which the other one had no processor do not count: its
/// additions are missing in the sum.
Expected<double> measureAdditions(int Cpu, int Other) {
  constexpr uint32_t AdditionsOfStretch = 1000;
  constexpr double MostSeconds = 3;
  LineWord Word;
  std::atomic<bool> Failed{false}, Done{false};
  std::vector<double> Nanoseconds;
  std::thread Rival;
  if (Other >= 0)
    Rival = startOn(Other, Failed, [&Word, &Done] {
      while (!Done.load(std::memory_order_relaxed))
        for (unsigned I = 0; I != AdditionsOfStretch; ++I)
          Word.Value.fetch_add(1, std::memory_order_relaxed);
    });
  std::thread Own = startOn(Cpu, Failed, [&] {
    Clock::time_point Start = Clock::now();
    while (Nanoseconds.size() != MostStretches &&
           nanosecondsSince(Start) < MostSeconds * 1e9) {
      uint32_t Before = Word.Value.load(std::memory_order_relaxed);
      Clock::time_point Begin = Clock::now();
      for (unsigned I = 0; I != AdditionsOfStretch; ++I)
        Word.Value.fetch_add(1, std::memory_order_relaxed);
      double Spent = nanosecondsSince(Begin) / AdditionsOfStretch;
      uint32_t Others = Word.Value.load(std::memory_order_relaxed) - Before -
                        AdditionsOfStretch;
      if (Other < 0 || Others >= AdditionsOfStretch / 4)
        Nanoseconds.push_back(Spent);
    }
    Done = true;
  });
  Own.join();
  if (Rival.joinable())
    Rival.join();
  if (Failed)
    return createStringError("threads cannot be pinned to processors here "
                             "(sched_setaffinity)");
  if (Nanoseconds.empty())
    return createStringError("what a contended write costs cannot be told: two "
                             "threads never ran at the same time");
  return bisect::median(std::move(Nanoseconds));
}

/// Nanoseconds of an addition that needs the one before: a cycle, on every
/// processor that this runs on. No kernel has to say what the frequency is.
double measureCycle() {
  constexpr unsigned Additions = 4000;
  std::vector<double> Nanoseconds;
  uint64_t Sum = 0;
  for (unsigned Stretch = 0; Stretch != MostStretches; ++Stretch) {
    Clock::time_point Begin = Clock::now();
    for (unsigned I = 0; I != Additions; I += 8)
#pragma clang loop unroll(full)
      for (unsigned J = 0; J != 8; ++J) {
        Sum += Stretch;
        // In a register, and not known: additions cannot be put together.
        asm volatile("" : "+r"(Sum));
      }
    Nanoseconds.push_back(nanosecondsSince(Begin) / Additions);
  }
  return quickest(std::move(Nanoseconds));
}

} // namespace

Expected<std::vector<Transfer>> measureTransfers(const Machine &Host,
                                                 unsigned Most) {
  std::vector<int> Cpus = chooseCpus(Host, Most);
  if (Cpus.size() < 2)
    return createStringError(
        Host.Cpus.size() < 2
            ? "what handing a line over costs is not measured: there is one "
              "processor"
            : "what handing a line over costs is not measured: linesman may "
              "run on one processor only (taskset, or the container's "
              "cpuset), and a line has to go from one to another");
  std::vector<Transfer> Result;
  for (int Begin : Cpus)
    for (int Target : Cpus)
      if (Begin < Target) {
        Expected<double> Cost = measurePair(Begin, Target);
        if (!Cost)
          return Cost.takeError();
        Result.push_back({Begin, Target, *Cost});
      }
  return std::move(Result);
}

Expected<ContendedWrite> measureContendedWrite(ArrayRef<Transfer> Measured) {
  const Transfer *Farthest =
      max_element(Measured, [](const Transfer &A, const Transfer &B) {
        return A.Nanoseconds < B.Nanoseconds;
      });
  if (Farthest == Measured.end())
    return createStringError("there is one processor: nobody fights over a "
                             "line");
  Expected<double> Alone = measureAdditions(Farthest->Sender, -1);
  if (!Alone)
    return Alone.takeError();
  Expected<double> Contended =
      measureAdditions(Farthest->Sender, Farthest->Receiver);
  if (!Contended)
    return Contended.takeError();
  return ContendedWrite{*Alone, *Contended, measureCycle()};
}

} // namespace linesman::drive
