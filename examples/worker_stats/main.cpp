// workers THREADS REQUESTS: every worker counts its requests in a slot of its
// own; prints requests per second per worker.

#include "../threads.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr unsigned MostWorkers = 16;

/// One for each worker, so that nobody needs a lock.
struct WorkerStats {
  uint64_t Requests;
  uint64_t Bytes;
};

} // namespace

static WorkerStats Stats[MostWorkers];

static void work(unsigned Thread, Start &Together, Slices &Own) {
  pinThread(Thread);
  Together.await();
  for (uint64_t I = 0; Own.goesOn(I); ++I) {
    ++Stats[Thread].Requests;
    Stats[Thread].Bytes += I & 1023;
    asm volatile("" ::: "memory"); // another request
  }
}

int main(int Argc, char **Argv) {
  unsigned Workers = Argc == 3 ? std::atoi(Argv[1]) : 0;
  if (Workers < 1 || Workers > MostWorkers) {
    std::fprintf(stderr, "usage: workers THREADS REQUESTS (1 to %u threads)\n",
                 MostWorkers);
    return 2;
  }
  uint64_t Requests = std::strtoull(Argv[2], nullptr, 10);
  std::vector<Slices> Work(Workers, Slices(Requests));
  Start Together(Workers);
  std::vector<std::thread> Pool;
  for (unsigned W = 0; W != Workers; ++W)
    Pool.emplace_back(work, W, std::ref(Together), std::ref(Work[W]));
  for (unsigned W = 0; W != Workers; ++W) {
    Pool[W].join();
    if (Stats[W].Requests != Requests)
      return 1;
  }
  double Sum = 0;
  for (double Rate : ratesTogether(Work))
    Sum += Rate;
  std::printf("%.0f\n", Sum / Workers);
}
