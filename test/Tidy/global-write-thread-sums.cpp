// RUN: %check_tidy %s linesman-global-write %t
// Threads that a loop starts, and that take a lock on each turn to add.
#include "threads.h"

long by_lambda(const std::vector<int> &all, int n) {
  std::mutex lock;
  long sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < n; t++)
    threads.emplace_back([&, t] {
      for (size_t i = t; i < all.size(); i += n) {
        std::lock_guard<std::mutex> held(lock);
        sum += all[i];
        // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'by_lambda::sum' is one variable for all threads that run this loop, and each turn takes a lock for nothing but to add to it: the lines of the lock and of the sum move to the core that does and away from all others, and who comes meanwhile waits; count in a variable of each thread and add it afterwards
      }
    });
  for (auto &each : threads)
    each.join();
  return sum;
}
static std::mutex guard;
static long total;
static void add_all(const int *all, int n) {
  for (int i = 0; i < n; i++) {
    guard.lock();
    total += all[i];
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'total' is one variable for all threads that run this loop, and each turn takes a lock
    guard.unlock();
  }
}
void by_function(const int *all, int n) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back(add_all, all, n);
}
class Counter {
  std::mutex lock;
  long found = 0;

public:
  void run(const int *all, int n) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
      threads.emplace_back([this, all, n] {
        for (int i = 0; i < n; i++)
          if (all[i] > 3) {
            std::lock_guard<std::mutex> held(lock);
            ++found;
            // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'Counter::found' is one variable for all threads that run this loop, and each turn takes a lock
          }
      });
  }
};

// ---- From here on: nothing.

void work(int);
long right(const std::vector<int> &all, int n) {
  std::mutex lock;
  long sum = 0, rows = 0, few = 0, copied = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < n; t++)
    threads.emplace_back([&, t, copied]() mutable {
      // The fix: once, what the thread has added up.
      long own = 0;
      for (size_t i = t; i < all.size(); i += n)
        own += all[i];
      std::lock_guard<std::mutex> held(lock);
      sum += own;
      // A copy of its own.
      copied += own;
    });
  for (int t = 0; t < n; t++)
    threads.emplace_back([&, t, copied]() mutable {
      // Long turns, every 64th turn, and its own copy.
      for (size_t i = t; i < all.size(); i += n) {
        work(all[i]);
        std::lock_guard<std::mutex> held(lock);
        rows++;
      }
      for (size_t i = t; i < all.size(); i += n)
        if (i % 64 == 0) {
          std::lock_guard<std::mutex> held(lock);
          few += 64;
        }
      for (size_t i = t; i < all.size(); i += n) {
        std::lock_guard<std::mutex> held(lock);
        copied += all[i];
      }
    });
  return sum + rows + few;
}
// One thread, which nobody waits for; and a lock for more than the sum.
static std::mutex other;
static long alone, sold, left = 100;
static void one(int n) {
  for (int i = 0; i < n; i++) {
    std::lock_guard<std::mutex> held(other);
    // CHECK-MESSAGES: :[[@LINE-1]]:38: warning: 'one' takes the lock 'other' on each turn of this loop
    alone += i;
  }
}
std::thread start_one() { return std::thread(one, 3); }
static void sell(int n) {
  for (int i = 0; i < n; i++) {
    std::lock_guard<std::mutex> held(other);
    if (left != 0) {
      left--;
      sold++;
    }
  }
}
long sell_all() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back(sell, 100);
  return alone + sold;
}
