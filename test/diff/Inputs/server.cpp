// Two counters of different threads, on lines of their own.
#include <atomic>
#include <thread>

alignas(64) std::atomic<long> requests;
#ifdef ADDED
// Lands behind 'requests', and is written by the other thread.
std::atomic<long> added;
#endif
#ifdef QUIET
// Lands there, too; nobody writes or reads it while threads run.
std::atomic<long> quiet;
#endif
alignas(64) std::atomic<long> errors;

static void serve() {
  for (int I = 0; I != 1000; ++I)
    requests.fetch_add(1, std::memory_order_relaxed);
}

static void fail() {
  for (int I = 0; I != 1000; ++I) {
    errors.fetch_add(1, std::memory_order_relaxed);
#ifdef ADDED
    added.fetch_add(1, std::memory_order_relaxed);
#endif
  }
}

int main() {
#ifdef QUIET
  quiet = 1;
#endif
#ifdef THREADS
  std::thread One(serve), Other(fail);
  One.join();
  Other.join();
#else
  serve();
  fail();
#endif
}
