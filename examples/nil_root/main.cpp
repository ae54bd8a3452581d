// store THREADS QUERIES: every thread runs that many queries on its own shard;
// prints queries per second per thread.

#include "log.h"
#include "shard.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sched.h>
#include <thread>
#include <vector>

static constexpr unsigned MaxThreads = 64;
static constexpr uint32_t KeysPerShard = 256;

/// Static, as in a server: it also aligns .bss to a line.
static store::Shard Shards[MaxThreads];

/// Processor time: other programs on the machine do not count.
static double threadSeconds() {
  timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return Now.tv_sec + Now.tv_nsec * 1e-9;
}

/// Each thread on a processor of its own, as far as there are enough: two
/// threads on one can not fight over a line.
static void pinThread(unsigned Thread) {
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
  std::atomic<unsigned> Ready{0};
  std::vector<double> Seconds(Threads);
  std::vector<uint64_t> Found(Threads);
  std::vector<std::thread> Workers;
  for (unsigned T = 0; T != Threads; ++T)
    Workers.emplace_back([&, T] {
      pinThread(T);
      Shards[T].fill(KeysPerShard);
      ++Ready;
      while (Ready != Threads) {
      }
      double Start = threadSeconds();
      Found[T] = Shards[T].run(Queries);
      Seconds[T] = threadSeconds() - Start;
    });
  double PerThread = 0;
  for (unsigned T = 0; T != Threads; ++T) {
    Workers[T].join();
    PerThread += Queries / Seconds[T] / Threads;
    if (Found[T] != Queries) {
      std::fprintf(stderr, "store: shard %u lost keys\n", T);
      return 1;
    }
  }
  std::printf("%.0f\n", PerThread);
}
