// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the hazards of the check pages cost: each one beside its cure, in one
// run, as a ratio. Two threads, because one core alone never waits.
//   clang++-22 -std=c++20 -O2 -pthread test/bench/tidy-examples.cpp -o examples
//   && ./examples

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr int Rounds = 7;
constexpr long Operations = 2'000'000;

/// Nanoseconds an operation takes a thread; the median of the rounds.
template <typename Operation> double measure(Operation Run) {
  std::vector<double> Times;
  for (int Round = 0; Round < Rounds; ++Round) {
    std::atomic<int> Ready = 0;
    auto Loop = [&](int Thread) {
      ++Ready;
      while (Ready != 2)
        ;
      for (long I = 0; I < Operations; ++I)
        Run(Thread, I);
    };
    auto Start = std::chrono::steady_clock::now();
    std::thread First(Loop, 0), Second(Loop, 1);
    First.join();
    Second.join();
    std::chrono::duration<double, std::nano> Took =
        std::chrono::steady_clock::now() - Start;
    Times.push_back(Took.count() / Operations);
  }
  std::sort(Times.begin(), Times.end());
  return Times[Rounds / 2];
}

void report(const char *Name, double Hazard, double Cured) {
  std::printf("%-18s %6.1f ns with the hazard, %6.1f ns cured: %.1f times\n",
              Name, Hazard, Cured, Hazard / Cured);
}

// sentinel-write: every move of a reference stores into what it refers to.
struct Node {
  void *volatile back = nullptr;
  volatile int level = 0;
};
alignas(64) Node nil_root;

template <bool IsGuarded> struct Ref {
  Ref() = default;
  Ref(Ref &&Other) : target(std::exchange(Other.target, &nil_root)) {
    if (!IsGuarded || target != &nil_root)
      target->back = this;
  }
  Node *target = &nil_root;
};
template <bool IsGuarded> void move(int, long) {
  Ref<IsGuarded> From;
  Ref<IsGuarded> To(std::move(From));
  // Somebody else's reason to read the line.
  (void)nil_root.level;
}

// shared-refcount: the empty representation is counted.
struct Rep {
  std::atomic<int> refs = 1;
};
alignas(64) Rep empty_rep;
template <bool IsGuarded> void copy(int, long) {
  Rep *volatile Shared = &empty_rep;
  Rep *Mine = Shared;
  if (!IsGuarded || Mine != &empty_rep)
    Mine->refs.fetch_add(1);
  if (!IsGuarded || Mine != &empty_rep)
    Mine->refs.fetch_sub(1);
}

// const-path-write: the one-element cache beside the list.
struct alignas(64) Klass {
  mutable std::atomic<const Klass *> last_hit = nullptr;
  const Klass *supers[4] = {};
};
Klass Supers[2];
Klass Sub;
template <bool IsCached> void check(int Thread, long) {
  const Klass *Wanted = &Supers[Thread];
  if (IsCached && Sub.last_hit.load(std::memory_order_relaxed) == Wanted)
    return;
  for (const Klass *const volatile &Each : Sub.supers)
    if (Each == Wanted) {
      if (IsCached)
        Sub.last_hit.store(Wanted, std::memory_order_relaxed);
      return;
    }
}

} // namespace

int main() {
  Sub.supers[0] = &Supers[0];
  Sub.supers[1] = &Supers[1];
  report("sentinel-write", measure(move<false>), measure(move<true>));
  report("shared-refcount", measure(copy<false>), measure(copy<true>));
  report("const-path-write", measure(check<true>), measure(check<false>));
}
