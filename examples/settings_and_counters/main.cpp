// server THREADS REQUESTS: every request reads two settings, which never
// change, and counts itself; prints requests per second per thread.

#include "../threads.h"
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

struct Server {
  // Read by every request, written at the start.
  uint32_t MostBytes = 100;
  uint32_t Verbosity = 0;
  // Written by every eighth request.
  std::atomic<uint64_t> Large{0};
};

} // namespace

static Server TheServer;

static void serve(unsigned Thread, Start &Together, Slices &Own) {
  pinThread(Thread);
  Together.await();
  for (uint64_t I = 0; Own.goesOn(I); ++I) {
    if (TheServer.Verbosity)
      std::printf("request %lu\n", static_cast<unsigned long>(I));
    if (I % 8 * 16 >= TheServer.MostBytes)
      TheServer.Large.fetch_add(1, std::memory_order_relaxed);
    asm volatile("" ::: "memory"); // another request
  }
}

int main(int Argc, char **Argv) {
  unsigned Threads = Argc == 3 ? std::atoi(Argv[1]) : 0;
  if (Threads < 1) {
    std::fprintf(stderr, "usage: server THREADS REQUESTS\n");
    return 2;
  }
  uint64_t Requests = std::strtoull(Argv[2], nullptr, 10);
  TheServer.Verbosity = std::getenv("VERBOSE") != nullptr;
  std::vector<Slices> Work(Threads, Slices(Requests));
  Start Together(Threads);
  std::vector<std::thread> Pool;
  for (unsigned T = 0; T != Threads; ++T)
    Pool.emplace_back(serve, T, std::ref(Together), std::ref(Work[T]));
  for (unsigned T = 0; T != Threads; ++T)
    Pool[T].join();
  double Sum = 0;
  for (double Rate : ratesTogether(Work))
    Sum += Rate;
  std::printf("%.0f\n", Sum / Threads);
}
