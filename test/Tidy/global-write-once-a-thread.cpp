// RUN: %check_tidy %s linesman-global-write %t
// What a thread does a single time costs nothing beside its start: its number,
// and the sum that it adds at its end. What its loops do is another matter.
#include "threads.h"
extern "C" int pthread_create(unsigned long *, const void *, void *(*)(void *),
                              void *);
void use(long);

static std::atomic<int> next_id, ended, turns, nodes, ticks;
static std::atomic<long> total;
static void leave() { ended++; }
static void turn() {
  turns++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'turns' has static storage, and 'turn' updates it
}
static void search(int depth) {
  nodes++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'nodes' has static storage, and 'search' updates it
  if (depth)
    search(depth - 1);
}
static void *work(void *argument) {
  int id = next_id.fetch_add(1);
  long sum = 0;
  for (int i = 0; i < 1000; i++) {
    turn();
    ticks++;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'ticks' has static storage, and 'work' updates it, in a loop
    sum += i;
  }
  search(id);
  total += sum;
  leave();
  return argument;
}
void start_all(unsigned long *threads, int n) {
  for (int i = 0; i < n; i++)
    pthread_create(&threads[i], nullptr, work, nullptr);
}

// A lambda, and the method that it calls.
class Pool {
  std::vector<std::thread> threads;
  static std::atomic<int> number, passed, seen;
  void run() {
    int id = number++;
    for (;;) {
      use(id);
      seen++;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Pool::seen' has static storage
    }
  }

public:
  void step() {
    passed++;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Pool::passed' has static storage
  }
  void start() {
    for (int i = 0; i < 4; i++)
      threads.emplace_back([this] {
        step();
        run();
      });
  }
};
std::atomic<int> Pool::number, Pool::passed, Pool::seen;
void go(Pool &pool) { pool.start(); }

// Who also calls it himself may do so for each operation.
static std::atomic<int> jobs;
static void *job(void *argument) {
  jobs++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'jobs' has static storage, and 'job' updates it
  return argument;
}
void run_or_start(unsigned long *thread, bool alone) {
  if (alone)
    job(nullptr);
  else
    pthread_create(thread, nullptr, job, nullptr);
}
