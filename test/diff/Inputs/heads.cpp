// Two counters of two threads on one line, or three: which one forces the most
// transfers changes with the third.
#include <atomic>
#include <thread>

alignas(64) std::atomic<long> requests;
std::atomic<long> errors;
#ifdef MORE
std::atomic<long> added;
#endif
alignas(64) long last;

static void serve() {
  for (int I = 0; I != 1000; ++I) {
    requests.fetch_add(1, std::memory_order_relaxed);
#ifdef MORE
    added.fetch_add(1, std::memory_order_relaxed);
#endif
  }
}

static void fail() {
  for (int I = 0; I != 1000; ++I)
    errors.fetch_add(1, std::memory_order_relaxed);
}

int main() {
  std::thread One(serve), Other(fail);
  One.join();
  Other.join();
}
