// RUN: %check_tidy %s linesman-global-write %t
#include "threads.h"
// A function of the unit runs the body of a loop in parallel: what the body
// counts in, all threads have.
template <typename F> void each(int n, const F work) {
  std::atomic<int> next(0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&next, n, &work] {
      while (true) {
        int i = next++;
        if (i >= n)
          break;
        work(i);
      }
    });
}
template <typename F> void each_in_turn(int n, const F work) {
  for (int i = 0; i < n; ++i)
    work(i);
}

long pairs(int n) {
  std::atomic<long> found(0);
  auto body = [&](int i) {
    for (int j = 0; j < i; ++j)
      for (int k = 0; k < j; ++k)
        ++found;
    // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'pairs::found' is one variable for all threads that run this loop, and each turn updates it: its cache line moves to the core that does and away from all others; count in a variable of each thread and add it afterwards [
  };
  each(n, body);
  return found;
}

// ---- From here on: nothing.

// The fix: added once behind the loops.
long pairs_apart(int n) {
  std::atomic<long> found(0);
  each(n, [&](int i) {
    long mine = 0;
    for (int j = 0; j < i; ++j)
      ++mine;
    found += mine;
  });
  return found;
}
// By one thread.
long pairs_in_turn(int n) {
  std::atomic<long> found(0);
  each_in_turn(n, [&](int i) {
    for (int j = 0; j < i; ++j)
      ++found;
  });
  return found;
}
// Numbers are handed out: no count of a thread's own gives them.
void number(int n, long *numbers) {
  std::atomic<long> next(0);
  each(n, [&](int i) {
    for (int j = 0; j < i; ++j)
      numbers[i + j] = next++;
  });
}
// The thread's own, for a lambda that it makes itself.
void own(int n, long *sums) {
  std::vector<std::thread> threads;
  for (int t = 0; t < n; ++t)
    threads.emplace_back([=] {
      std::atomic<long> mine(0);
      auto add = [&](int i) {
        for (int j = 0; j < i; ++j)
          ++mine;
      };
      for (int i = 0; i < n; ++i)
        add(i);
      sums[t] = mine;
    });
}
