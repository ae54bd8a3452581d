// RUN: %check_tidy %s linesman-thread-slot %t
// Elements that a loop hands to std::async with the function that counts in
// them, or to threads that count in an array of their element.
#include "threads.h"
typedef unsigned long pthread_t;
extern "C" int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);

namespace std {
enum class launch { async = 1, deferred = 2 };
template <typename T> struct future {
  T get();
};
template <typename F, typename... Args> future<void> async(launch, F, Args...);
template <typename F, typename... Args> future<void> async(F, Args...);
} // namespace std

static void count(const int *at, int n, long &out) {
  for (int i = 0; i < n; i++)
    if (at[i] > 3)
      ++out;
}
static void add(const int *at, int n, long *out) {
  for (int i = 0; i < n; i++)
    *out += at[i];
}
static void store(const int *at, int n, long &out) {
  long own = 0;
  for (int i = 0; i < n; i++)
    own += at[i];
  out = own;
}

void launched(const int *at, int n, int threads) {
  std::vector<long> found(threads), sums(threads), kept(threads), later(threads);
  std::vector<std::future<void>> all;
  for (int i = 0; i < threads; ++i) {
    all.push_back(std::async(std::launch::async, count, at, n, std::ref(found[i])));
    // CHECK-MESSAGES: :[[@LINE-1]]:64: warning: each thread that this loop starts gets its own element of 'launched::found' to write, but elements are 8 bytes apart
    all.push_back(std::async(add, at, n, &sums[i]));
    // CHECK-MESSAGES: :[[@LINE-1]]:42: warning: each thread that this loop starts gets its own element of 'launched::sums' to write, but elements are 8 bytes apart
    // A sum of its own, stored once; who asks for the result runs it.
    all.push_back(std::async(store, at, n, std::ref(kept[i])));
    all.push_back(std::async(std::launch::deferred, count, at, n, std::ref(later[i])));
  }
  for (auto &each : all)
    each.get();
}

// ---- An array in the element, as the thread's own.
struct Job {
  int number;
  long issued[2];
  pthread_t thread;
};
struct Plan {
  int number;
  long limits[2];
  pthread_t thread;
};
struct alignas(64) Line {
  long issued[2];
  pthread_t thread;
};
static Job jobs[16];
static Plan plans[16];
static Line lines[16];
static void *run(void *argument) {
  Job *own = static_cast<Job *>(argument);
  for (long i = 0; i < 1000000; ++i)
    own->issued[i & 1]++;
  return nullptr;
}
static void *look(void *argument) {
  Plan *own = static_cast<Plan *>(argument);
  long sum = 0;
  for (long i = 0; i < own->limits[0]; ++i)
    sum += own->limits[i & 1];
  return reinterpret_cast<void *>(sum);
}
static void *fill(void *argument) {
  Line *own = static_cast<Line *>(argument);
  for (long i = 0; i < 1000000; ++i)
    own->issued[i & 1]++;
  return nullptr;
}
void start() {
  for (int i = 0; i < 16; ++i) {
    pthread_create(&jobs[i].thread, nullptr, run, &jobs[i]);
    // CHECK-MESSAGES: :[[@LINE-1]]:51: warning: each thread that this loop starts gets its own element of 'jobs' to write, but elements are 32 bytes apart
    plans[i].limits[0] = i;
    pthread_create(&plans[i].thread, nullptr, look, &plans[i]);
    pthread_create(&lines[i].thread, nullptr, fill, &lines[i]);
  }
}
