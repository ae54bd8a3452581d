// RUN: %check_tidy %s linesman-thread-slot %t
#include "threads.h"
// Threads that run a method, with the number that the loop gives to each.
struct Worker {
  long done = 0;
  bool stop = false;
  void run() {
    while (!stop)
      done++;
  }
};

class Pool {
  std::vector<Worker> workers;
  std::vector<std::thread> threads;
  void work(int number) {
    Worker &own = workers[number];
    while (!own.stop)
      own.done++;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'Pool::workers' here, but elements are 16 bytes apart
  }

public:
  void start(int n) {
    for (int i = 0; i < n; ++i)
      threads.emplace_back(&Pool::work, this, i);
  }
};

class Engine {
  std::vector<Worker> workers;
  std::vector<std::thread> threads;

public:
  void start(int n) {
    for (int i = 0; i < n; ++i)
      threads.emplace_back([this, i] { workers[i].run(); });
    // CHECK-MESSAGES: :[[@LINE-1]]:40: warning: each thread writes its own element of 'Engine::workers' here, but elements are 16 bytes apart
  }
};

// What a thread stores at its end is stored once.
void sum(const std::vector<int> &values, int n) {
  std::vector<std::thread> threads;
  std::vector<long> sums(n);
  for (int t = 0; t < n; ++t)
    threads.emplace_back([&, t] {
      long own = 0;
      for (size_t i = t; i < values.size(); i += n)
        own += values[i];
      sums[t] = own;
    });
}

void use(Pool &pool, Engine &engine) {
  pool.start(4);
  engine.start(4);
}
