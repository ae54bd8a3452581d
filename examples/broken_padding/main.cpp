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

static void countEvents(unsigned Thread, uint64_t Events, Start &Together,
                        double &Seconds) {
  pinThread(Thread);
  Together.await();
  double Begin = threadSeconds();
  for (uint64_t I = 0; I != Events; ++I)
    Slots[Thread].Events.fetch_add(1, std::memory_order_relaxed);
  Seconds = threadSeconds() - Begin;
}

int main(int Argc, char **Argv) {
  unsigned Threads = Argc == 3 ? std::atoi(Argv[1]) : 0;
  if (Threads < 1 || Threads > MostThreads) {
    std::fprintf(stderr, "usage: counters THREADS EVENTS (1 to %u threads)\n",
                 MostThreads);
    return 2;
  }
  uint64_t Events = std::strtoull(Argv[2], nullptr, 10);
  std::vector<double> Seconds(Threads);
  Start Together(Threads);
  std::vector<std::thread> Pool;
  for (unsigned T = 0; T != Threads; ++T)
    Pool.emplace_back(countEvents, T, Events, std::ref(Together),
                      std::ref(Seconds[T]));
  double Sum = 0;
  for (unsigned T = 0; T != Threads; ++T) {
    Pool[T].join();
    Sum += Events / Seconds[T];
  }
  std::printf("%.0f\n", Sum / Threads);
}
