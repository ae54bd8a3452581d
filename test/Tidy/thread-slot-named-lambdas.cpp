// RUN: %check_tidy %s linesman-thread-slot,linesman-global-write %t
#include "threads.h"
// Threads that a loop starts with a lambda that has a name.

long numbered(int n) {
  long sums[8];
  auto work = [&](int id) {
    for (int i = 0; i < n; ++i)
      sums[id] += i;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'numbered::sums' here, but elements are 8 bytes apart
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back(work, t);
  return sums[0];
}

long counted(int n) {
  std::atomic<long> next(0), all(0);
  auto body = [&] {
    for (;;) {
      long i = next++;
      if (i >= n)
        break;
      all += i;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'counted::all' is one variable for all threads that run this loop, and each turn updates it
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.push_back(std::thread(body));
  return all;
}

// Made in the loop: what it copies is each turn's.
void of_turn(int n) {
  long sums[8];
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    auto work = [&sums, n, t] {
      for (int i = 0; i < n; ++i)
        sums[t] += i;
      // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: each thread writes its own element of 'of_turn::sums' here
    };
    threads.emplace_back(work);
  }
}

// What a lambda in front of the loop copies is the same for all threads.
void same_for_all(int n, int place) {
  std::vector<std::thread> threads;
  static std::atomic<long> cells[8];
  auto work = [place](int id) {
    for (int i = 0; i < id; ++i)
      if (cells[place] == i)
        return;
  };
  for (int t = 0; t < n; ++t)
    threads.emplace_back(work, t);
}

// The fixes: a local that is stored once, and elements of a line.
void stored_once(int n) {
  long sums[8];
  auto work = [&](int id) {
    long own = 0;
    for (int i = 0; i < n; ++i)
      own += i;
    sums[id] = own;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back(work, t);
}
struct alignas(64) Sum {
  long value;
};
void of_lines(int n) {
  Sum sums[8];
  auto work = [&](int id) {
    for (int i = 0; i < n; ++i)
      sums[id].value += i;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back(work, t);
}

// One thread, and a lambda that nobody starts.
long alone(int n) {
  long sums[8];
  auto work = [&](int id) {
    for (int i = 0; i < n; ++i)
      sums[id] += i;
  };
  std::thread one(work, 3);
  one.join();
  return sums[3];
}
long called(int n) {
  long sums[8];
  auto work = [&](int id) {
    for (int i = 0; i < n; ++i)
      sums[id] += i;
  };
  for (int t = 0; t < 8; ++t)
    work(t);
  return sums[0];
}
