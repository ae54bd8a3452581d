// counters THREADS EVENTS: every thread counts in a padded slot of its own;
// prints events per second per thread.

#include "../threads.h"
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

/// From a header of another machine: lines have 64 bytes here.
constexpr unsigned CacheLine = 32;
constexpr unsigned MostThreads = 16;

struct Slot {
  std::atomic<uint64_t> Events{0};
  char Pad[CacheLine - sizeof(std::atomic<uint64_t>)];
};

} // namespace

alignas(64) static Slot Slots[MostThreads];

static void countEvents(unsigned Thread, Start &Together, Slices &Own) {
  pinThread(Thread);
  Together.await();
  for (uint64_t I = 0; Own.goesOn(I); ++I)
    Slots[Thread].Events.fetch_add(1, std::memory_order_relaxed);
}

int main(int Argc, char **Argv) {
  unsigned Threads = Argc == 3 ? std::atoi(Argv[1]) : 0;
  if (Threads < 1 || Threads > MostThreads) {
    std::fprintf(stderr, "usage: counters THREADS EVENTS (1 to %u threads)\n",
                 MostThreads);
    return 2;
  }
  uint64_t Events = std::strtoull(Argv[2], nullptr, 10);
  std::vector<Slices> Work(Threads, Slices(Events));
  Start Together(Threads);
  std::vector<std::thread> Pool;
  for (unsigned T = 0; T != Threads; ++T)
    Pool.emplace_back(countEvents, T, std::ref(Together), std::ref(Work[T]));
  for (unsigned T = 0; T != Threads; ++T)
    Pool[T].join();
  double Sum = 0;
  for (double Rate : ratesTogether(Work))
    Sum += Rate;
  std::printf("%.0f\n", Sum / Threads);
}
