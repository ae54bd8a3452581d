// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t
// Words of an object that starts several threads for itself.
#include "random.h"
#include "threads.h"

namespace std {
template <typename T> struct future {
  T get();
  template <typename F> future then(F f);
};
} // namespace std
struct Pool {
  template <typename F> std::future<int> invoke(F f) {
    f();
    return {};
  }
};
extern int cells[1024];

class Search {
  std::minstd_rand random;
  std::atomic<long> steps;
  std::vector<std::thread> threads;
  Pool *pool;
  long limit;

public:
  void think(int n) {
    for (int i = 0; i < n; i++)
      pool->invoke([this] { work(); });
  }
  void work() {
    for (long i = 0; i < limit; i++) {
      grow(random);
      // CHECK-MESSAGES: :[[@LINE-1]]:{{[0-9]+}}: warning: 'Search::random' is one random generator for all threads that the object starts, and 'Search::work' draws from it: each draw changes it, and its cache line moves to the core that draws and away from all others; give each thread a generator of its own
    }
  }
  void grow(std::minstd_rand &from) { cells[from() % 1024]++; }
  // Named methods, and one that these call.
  void start(int n) {
    for (int i = 0; i < n; i++)
      threads.emplace_back(&Search::run, this);
  }
  void run() {
    while (limit != 0)
      step();
  }
  void step() {
    for (int i = 0; i < 8; i++)
      steps++;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Search::steps' is one variable for all threads that run this loop, and each turn updates it: its cache line moves to the core that does and away from all others; count in a variable of each thread and add it afterwards
  }
};
class Direct {
  std::minstd_rand random;
  std::vector<std::thread> threads;

public:
  void start(int n) {
    for (int i = 0; i < n; i++)
      threads.emplace_back([this] {
        for (int turn = 0; turn < 1000; turn++)
          cells[random() % 1024]++;
        // CHECK-MESSAGES: :[[@LINE-1]]:{{[0-9]+}}: warning: 'Direct::random' is one random generator for all threads that the object starts
      });
  }
};

// ---- From here on: nothing.

// The fix.
class Fixed {
  std::atomic<long> steps;
  std::vector<std::thread> threads;

public:
  void start(int n) {
    for (int i = 0; i < n; i++)
      threads.emplace_back([this] { run(); });
  }
  void run() {
    std::minstd_rand random;
    long own = 0;
    for (int i = 0; i < 1000; i++) {
      cells[random() % 1024]++;
      own++;
    }
    steps.fetch_add(own);
  }
};
// Each object has one thread.
class Worker {
  std::minstd_rand random;
  std::atomic<long> steps;
  std::thread thread;

public:
  void start() {
    thread = std::thread([this] { run(); });
  }
  void run() {
    for (int i = 0; i < 1000; i++) {
      cells[random() % 1024]++;
      steps++;
    }
  }
};
// A loop through the objects: other ones.
void startAll(std::vector<Worker> &workers, std::vector<std::thread> &threads) {
  for (Worker &each : workers)
    threads.emplace_back(&Worker::run, &each);
}
// One after the other: what a future is given waits for it.
class Chain {
  std::minstd_rand random;
  std::future<int> last;

public:
  void extend(int n) {
    for (int i = 0; i < n; i++)
      last = last.then([this] { draw(); });
  }
  void draw() {
    for (int i = 0; i < 1000; i++)
      cells[random() % 1024]++;
  }
};
// A draw once a thread, a seed, and a lock around the loop.
class Once {
  std::minstd_rand random;
  std::mutex lock;
  std::vector<std::thread> threads;

public:
  void start(int n) {
    for (int i = 0; i < n; i++)
      threads.emplace_back([this] { run(); });
  }
  void run() {
    const std::lock_guard<std::mutex> held(lock);
    for (int i = 0; i < 1000; i++)
      cells[random() % 1024]++;
  }
  void startSeeded(int n) {
    for (int i = 0; i < n; i++)
      threads.emplace_back([this] { seeded(); });
  }
  void seeded() {
    random.seed(1);
    cells[random() % 1024]++;
  }
};
// A long turn: what it counts is no matter. And a number that is used.
int work(long number);
class Long {
  std::atomic<long> done, next;
  std::vector<std::thread> threads;

public:
  void start(int n) {
    for (int i = 0; i < n; i++)
      threads.emplace_back([this] { run(); });
  }
  void run() {
    for (int i = 0; i < 1000; i++) {
      work(i);
      done++;
    }
    for (;;)
      if (next.fetch_add(1) > 1000)
        break;
  }
};
