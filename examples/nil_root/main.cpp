// store THREADS QUERIES: every thread runs that many queries on its own shard;
// prints queries per second per thread.

#include "log.h"
#include "shard.h"
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

static constexpr unsigned MaxThreads = 64;
static constexpr uint32_t KeysPerShard = 256;

/// Static, as in a server: it also aligns .bss to a line.
static store::Shard Shards[MaxThreads];

int main(int Argc, char **Argv) {
  if (Argc != 3) {
    std::fprintf(stderr, "usage: store THREADS QUERIES\n");
    return 2;
  }
  unsigned Threads = std::atoi(Argv[1]);
  uint64_t Queries = std::strtoull(Argv[2], nullptr, 10);
  if (Threads < 1 || Threads > MaxThreads || Queries < 1) {
    std::fprintf(stderr, "store: 1 to %u threads, at least 1 query\n",
                 MaxThreads);
    return 2;
  }

  std::snprintf(store::log_prefix, sizeof(store::log_prefix), "%s: ", Argv[0]);
  Start Together(Threads);
  std::vector<Slices> Work(Threads, Slices(Queries));
  std::vector<uint64_t> Found(Threads);
  std::vector<std::thread> Workers;
  for (unsigned T = 0; T != Threads; ++T)
    Workers.emplace_back([&, T] {
      pinThread(T);
      Shards[T].fill(KeysPerShard);
      Together.await();
      Found[T] = Shards[T].run(Work[T]);
    });
  for (unsigned T = 0; T != Threads; ++T) {
    Workers[T].join();
    if (Found[T] != Queries) {
      std::fprintf(stderr, "store: shard %u lost keys\n", T);
      return 1;
    }
  }
  double Sum = 0;
  for (double Rate : ratesTogether(Work))
    Sum += Rate;
  std::printf("%.0f\n", Sum / Threads);
}
