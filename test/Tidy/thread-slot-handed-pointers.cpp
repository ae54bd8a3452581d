// RUN: %check_tidy %s linesman-thread-slot %t -- -std=c++17
#include "threads.h"
#include <pthread.h>
// Small objects that one loop takes from the allocator, and another hands to
// the threads that it starts.
namespace std {
template <typename T> struct unique_ptr {
  explicit unique_ptr(T *);
  unique_ptr(unique_ptr &&);
  T *get() const;
  T *operator->() const;
  T *Pointer;
};
template <typename T, typename... A> unique_ptr<T> make_unique(A &&...);
} // namespace std
extern "C" void *malloc(size_t);

struct Worker {
  long done = 0;
  bool stop = false;
  void work();
  void run() {
    while (!stop) {
      work();
      done++;
    }
  }
};
struct Pool {
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::thread> threads;
  explicit Pool(int n) {
    for (int i = 0; i < n; ++i)
      workers.push_back(std::make_unique<Worker>());
    // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: each thread is started with and writes what its own element of 'Pool::workers' points to, in 'Worker::run', but this loop takes 16 bytes for each from the allocator, which puts neighbours on one cache line of 64; give the type alignas(64)
    for (auto &each : workers)
      threads.emplace_back(&Worker::run, each.get());
    // CHECK-MESSAGES: :[[@LINE-1]]:7: note: threads are started with it here
  }
};

struct Stats {
  long ok = 0, failed = 0;
};
bool attempt();
void captured(int n) {
  std::vector<std::unique_ptr<Stats>> all;
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i)
    all.emplace_back(new Stats);
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: each thread is started with and writes what its own element of 'captured::all' points to, in 'captured::operator()', but this loop takes 16 bytes
  for (int i = 0; i < n; ++i)
    threads.emplace_back([own = all[i].get()] {
      // CHECK-MESSAGES: :[[@LINE-1]]:5: note: threads are started with it here
      for (int k = 0; k < 1000000; ++k)
        if (attempt())
          own->ok++;
        else
          own->failed++;
    });
}

struct Part {
  long found;
  int from, to;
};
Part *parts[8];
bool matches(int);
static void *search(void *argument) {
  Part *own = (Part *)argument;
  for (int i = own->from; i < own->to; ++i)
    if (matches(i))
      own->found++;
  return nullptr;
}
void plain(pthread_t *threads) {
  for (int i = 0; i < 8; ++i)
    parts[i] = (Part *)malloc(sizeof(Part));
  // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: each thread is started with and writes what its own element of 'parts' points to, in 'search'
  for (int i = 0; i < 8; ++i)
    pthread_create(&threads[i], nullptr, search, parts[i]);
  // CHECK-MESSAGES: :[[@LINE-1]]:5: note: threads are started with it here
}

// The fix.
struct alignas(64) Apart {
  long done = 0;
  bool stop = false;
  void run() {
    while (!stop)
      done++;
  }
};
void apart(int n) {
  std::vector<std::unique_ptr<Apart>> all;
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i)
    all.push_back(std::make_unique<Apart>());
  for (auto &each : all)
    threads.emplace_back(&Apart::run, each.get());
}

// Taken between two starts, each of which takes memory for its thread.
struct Count {
  long n = 0;
  void run() {
    for (int i = 0; i < 1000; ++i)
      n++;
  }
};
void between(int n) {
  std::vector<Count *> all;
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) {
    all.push_back(new Count);
    threads.emplace_back(&Count::run, all[i]);
  }
}

// Nobody writes them, or only once.
struct Range {
  long from, to;
  long result = 0;
  void run() {
    long sum = 0;
    for (long i = from; i < to; ++i)
      sum += i;
    result = sum;
  }
};
void ranges(int n) {
  std::vector<std::unique_ptr<Range>> all;
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i)
    all.push_back(std::make_unique<Range>());
  for (auto &each : all)
    threads.emplace_back(&Range::run, each.get());
}

// Others prepare and clear them, again and again.
struct Job {
  long from, to;
  long result = 0;
  void run() {
    long sum = 0;
    for (long i = from; i < to; ++i)
      sum += i;
    result = sum;
  }
};
struct Jobs {
  std::vector<std::unique_ptr<Job>> all;
  std::vector<std::thread> threads;
  explicit Jobs(int n) {
    for (int i = 0; i < n; ++i)
      all.push_back(std::make_unique<Job>());
  }
  void prepare(int n) {
    for (int i = 0; i < n; ++i) {
      all[i]->from = i * 100;
      all[i]->to = i * 100 + 100;
    }
  }
  void clear() {
    for (auto &each : all)
      each->result = 0;
  }
  void start() {
    for (auto &each : all)
      threads.emplace_back(&Job::run, each.get());
  }
};

// Large ones.
struct Large {
  char name[256];
  long done = 0;
  void run() {
    for (int i = 0; i < 1000; ++i)
      done++;
  }
};
void large(int n) {
  std::vector<std::unique_ptr<Large>> all;
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i)
    all.push_back(std::make_unique<Large>());
  for (auto &each : all)
    threads.emplace_back(&Large::run, each.get());
}
