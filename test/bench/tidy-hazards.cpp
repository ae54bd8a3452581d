// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The examples of docs/checks, before and after the remedy, on two threads:
//
//     c++ -O2 -pthread -std=c++20 test/bench/tidy-hazards.cpp -o /tmp/hazards
//     /tmp/hazards
//
// Prints nanoseconds for an operation of the thread that suffers, the median of
// interleaved rounds, and their ratio. Two cores are enough to see each effect;
// more cores and sockets make all of them larger.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <optional>
#include <thread>
#include <time.h>
#include <vector>

namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr long Batch = 100000;
constexpr auto RunTime = std::chrono::milliseconds(10);

template <typename T> void keep(const T &Value) {
  asm volatile("" : : "r,m"(Value) : "memory");
}

double threadSeconds() {
  timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return Now.tv_sec + Now.tv_nsec * 1e-9;
}

/// Runs Measured while Other loops on another thread; nanoseconds of one
/// operation of Measured, or nothing when a thread had to wait for a core: what
/// does not run at the same time does not share.
std::optional<double> time(const std::function<void(long)> &Measured,
                           const std::function<void(long)> &Other) {
  std::atomic<bool> Started{false}, Done{false};
  double OtherSeconds = 0;
  std::thread Disturber([&] {
    Started = true;
    double Start = threadSeconds();
    while (!Done.load(relaxed))
      Other(1000);
    OtherSeconds = threadSeconds() - Start;
  });
  while (!Started)
    ;
  double OwnStart = threadSeconds();
  auto Start = std::chrono::steady_clock::now(), End = Start;
  long Batches = 0;
  for (; End - Start < RunTime; End = std::chrono::steady_clock::now()) {
    Measured(Batch);
    ++Batches;
  }
  double Own = threadSeconds() - OwnStart;
  Done = true;
  Disturber.join();
  double Seconds = std::chrono::duration<double>(End - Start).count();
  if (Own < 0.95 * Seconds || OtherSeconds < 0.95 * Seconds)
    return std::nullopt;
  return Seconds * 1e9 / (Batches * Batch);
}

struct Example {
  const char *Check;
  std::function<std::optional<double>()> Before, After;
};

// adjacent-hot-fields: hits beside the limit that every lookup reads.
struct alignas(64) Mixed {
  std::atomic<long> hits{0};
  std::atomic<long> limit{100};
};
struct alignas(64) Separated {
  std::atomic<long> hits{0};
  alignas(64) std::atomic<long> limit{100};
};
template <typename Record> std::optional<double> readBesideWrites() {
  static Record Cache;
  keep(&Cache);
  return time(
      [](long N) {
        long Fits = 0;
        for (long I = 0; I < N; ++I)
          Fits += I < Cache.limit.load(relaxed);
        keep(Fits);
      },
      [](long N) {
        for (long I = 0; I < N; ++I)
          Cache.hits.fetch_add(1, relaxed);
      });
}

// thread-slot, broken-isolation: two elements of an array, one a thread.
struct Slot {
  std::atomic<long> served{0};
};
struct alignas(64) WideSlot {
  std::atomic<long> served{0};
};
template <typename Element> std::optional<double> countInSlots() {
  alignas(64) static Element Slots[2];
  auto Serve = [](int Thread) {
    return [Thread](long N) {
      for (long I = 0; I < N; ++I)
        Slots[Thread].served.fetch_add(1, relaxed);
    };
  };
  return time(Serve(0), Serve(1));
}

// global-write, write-only-global: one counter, against one a thread.
std::optional<double> countInGlobal() {
  alignas(64) static std::atomic<long> Requests;
  auto Serve = [](long N) {
    for (long I = 0; I < N; ++I)
      Requests.fetch_add(1, relaxed);
  };
  return time(Serve, Serve);
}
std::optional<double> countInThread() {
  auto Serve = [](long N) {
    alignas(64) thread_local std::atomic<long> Requests;
    for (long I = 0; I < N; ++I)
      Requests.fetch_add(1, relaxed);
  };
  return time(Serve, Serve);
}

// redundant-store: a flag that is nearly always set already.
std::optional<double> storeAlways() {
  alignas(64) static std::atomic<bool> Dirty{true};
  auto Mark = [](long N) {
    for (long I = 0; I < N; ++I)
      Dirty.exchange(true, relaxed);
  };
  return time(Mark, Mark);
}
std::optional<double> storeIfDifferent() {
  alignas(64) static std::atomic<bool> Dirty{true};
  auto Mark = [](long N) {
    for (long I = 0; I < N; ++I)
      if (!Dirty.load(relaxed))
        Dirty.exchange(true, relaxed);
  };
  return time(Mark, Mark);
}

// write-only-global: a plain store nobody needs, beside what others read.
struct alignas(64) Trace {
  std::atomic<long> last{0};
  std::atomic<long> level{0};
};
template <bool Writes> std::optional<double> readBesideTrace() {
  static Trace Line;
  keep(&Line); // Somebody else may write the level: it has to be loaded.
  return time(
      [](long N) {
        long Sum = 0;
        for (long I = 0; I < N; ++I)
          Sum += Line.level.load(relaxed);
        keep(Sum);
      },
      [](long N) {
        for (long I = 0; I < N; ++I)
          if (Writes)
            Line.last.store(I, relaxed);
      });
}

double median(std::vector<double> Values) {
  std::sort(Values.begin(), Values.end());
  return Values[Values.size() / 2];
}

} // namespace

int main() {
  const Example Examples[] = {
      {"adjacent-hot-fields", readBesideWrites<Mixed>,
       readBesideWrites<Separated>},
      {"thread-slot", countInSlots<Slot>, countInSlots<WideSlot>},
      {"global-write", countInGlobal, countInThread},
      {"redundant-store", storeAlways, storeIfDifferent},
      {"write-only-global", readBesideTrace<true>, readBesideTrace<false>},
  };
  std::printf("%-22s %10s %10s %7s\n", "check", "before ns", "after ns",
              "ratio");
  for (const Example &Each : Examples) {
    std::vector<double> Before, After;
    for (int Round = 0; Round != 400; ++Round) {
      if (std::optional<double> Time = Each.Before())
        Before.push_back(*Time);
      if (std::optional<double> Time = Each.After())
        After.push_back(*Time);
      if (Before.size() > 20 && After.size() > 20)
        break;
    }
    if (Before.empty() || After.empty()) {
      std::printf("%-22s no two free cores\n", Each.Check);
      continue;
    }
    std::printf("%-22s %10.2f %10.2f %6.1fx\n", Each.Check, median(Before),
                median(After), median(Before) / median(After));
  }
}
