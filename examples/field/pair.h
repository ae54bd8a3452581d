// What the drivers of this folder measure with: two operations at the same
// time, each by a thread on a processor of its own, and the time that one of
// each takes:
//
//   read              12.3 ns
//   push_back         45.6 ns
//
// Threads can only fight over a line while both run. So a thread works in
// batches, and a batch counts when the other thread got on with its work in
// both halves of it. The seconds are processor time of the thread, and the
// figure is the median of the batches: other programs on the machine cost
// batches, not truth.

#ifndef EXAMPLES_FIELD_PAIR_H
#define EXAMPLES_FIELD_PAIR_H

#include "../threads.h"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

/// The compiler takes it that somebody uses the value.
template <typename T> void keep(const T &Value) {
  asm volatile("" : : "g"(&Value) : "memory");
}

/// A new object at the begin of a line. Where malloc puts objects of a program
/// is chance; here the chance is taken out.
template <typename T, typename... Arguments>
T *placeOnLine(Arguments... Given) {
  return new (std::align_val_t(std::max<std::size_t>(64, alignof(T))))
      T(Given...);
}

/// One thread's part; its counter has lines of its own, so that counting is not
/// what is measured.
struct Part {
  alignas(128) std::atomic<uint64_t> Done{0};
  alignas(128) std::vector<double> Batches;
  std::atomic<unsigned> Counted{0}, Tried{0};
};

template <typename Operation>
void workBeside(Operation &Operate, unsigned Processor, Part &Own,
                const Part &Other, Start &Together,
                const std::atomic<bool> &Over) {
  constexpr unsigned Half = 1000;
  uint64_t Done = 0;
  auto WorkHalf = [&] {
    for (unsigned I = 0; I != Half; ++I) {
      Operate(Done);
      Own.Done.store(++Done, std::memory_order_relaxed);
    }
    return Other.Done.load(std::memory_order_relaxed);
  };
  pinThread(Processor);
  Together.await();
  while (!Over.load(std::memory_order_relaxed)) {
    uint64_t Before = Other.Done.load(std::memory_order_relaxed);
    double Begin = threadSeconds();
    uint64_t Middle = WorkHalf();
    uint64_t After = WorkHalf();
    double Seconds = threadSeconds() - Begin;
    ++Own.Tried;
    if (Before != Middle && Middle != After) {
      Own.Batches.push_back(Seconds / (2 * Half));
      ++Own.Counted;
    }
  }
}

/// Runs both operations for the seconds that the command line says (0.5
/// without), and up to 20 times as long where the machine is so busy that too
/// few batches count by then. Prints a line for each, and returns the program's
/// exit code. An operation is called with the number of calls before.
template <typename First, typename Second>
int measurePair(int Argc, char **Argv, const char *FirstName,
                First FirstOperation, const char *SecondName,
                Second SecondOperation) {
  double Seconds = Argc > 1 ? std::strtod(Argv[1], nullptr) : 0.5;
  static struct {
    Part Parts[2];
    Start Together{2};
    alignas(128) std::atomic<bool> Over{false};
  } State;
  auto &[Parts, Together, Over] = State;
  std::thread Threads[] = {
      std::thread([&] {
        workBeside(FirstOperation, 0, Parts[0], Parts[1], Together, Over);
      }),
      std::thread([&] {
        workBeside(SecondOperation, 1, Parts[1], Parts[0], Together, Over);
      })};
  constexpr unsigned Enough = 50;
  timespec Pause = {time_t(Seconds), long((Seconds - time_t(Seconds)) * 1e9)};
  for (unsigned Turn = 0; Turn != 20; ++Turn) {
    nanosleep(&Pause, nullptr);
    if (Parts[0].Counted >= Enough && Parts[1].Counted >= Enough)
      break;
  }
  Over = true;
  for (std::thread &Thread : Threads)
    Thread.join();

  const char *Names[] = {FirstName, SecondName};
  for (unsigned I = 0; I != 2; ++I) {
    std::vector<double> &Batches = Parts[I].Batches;
    if (Batches.size() < Enough) {
      std::fprintf(
          stderr,
          "%s: both threads ran in %zu of %u batches, which is too few\n",
          Names[I], Batches.size(), Parts[I].Tried.load());
      return 1;
    }
    auto Middle = Batches.begin() + Batches.size() / 2;
    std::nth_element(Batches.begin(), Middle, Batches.end());
    std::printf("%-16s %7.1f ns\n", Names[I], *Middle * 1e9);
  }
  return 0;
}

#endif // EXAMPLES_FIELD_PAIR_H
