// RUN: %check_tidy %s linesman-thread-slot %t
#include "threads.h"
// A function that starts threads calls the lambda that it was handed, with the
// thread's number.

struct Pool {
  template <typename F> void each(int n, F &&work) {
    std::vector<std::thread> threads;
    for (int w = 0; w < Size; ++w)
      threads.emplace_back([&, w] {
        for (int i = w; i < n; i += Size)
          work(i, w);
      });
  }
  template <typename F> void each_block(int n, F &&work) {
    std::vector<std::thread> threads;
    for (int w = 0; w < Size; ++w)
      threads.emplace_back([&, w] {
        for (int i = w * n / Size; i < (w + 1) * n / Size; ++i)
          work(i, w);
      });
  }
  template <typename F> void in_turn(int n, F &&work) {
    for (int i = 0; i < n; ++i)
      work(i, i % Size);
  }
  int Size = 8;
};

long sum(Pool &pool, const std::vector<long> &values) {
  std::vector<long> partial(8);
  pool.each(values.size(), [&](int i, int w) { partial[w] += values[i]; });
  // CHECK-MESSAGES: :[[@LINE-1]]:48: warning: each thread writes its own element of 'sum::partial' here, but elements are 8 bytes apart
  return partial[0];
}

// The fix.
struct alignas(64) Sum {
  long value;
};
long sum_of_lines(Pool &pool, const std::vector<long> &values) {
  std::vector<Sum> partial(8);
  pool.each(values.size(),
            [&](int i, int w) { partial[w].value += values[i]; });
  return partial[0].value;
}

// By the position, which is data's; one thread; a number that no thread has.
void by_position(Pool &pool, std::vector<long> &values) {
  pool.each_block(values.size(), [&](int i, int w) { values[i] += w; });
}
long in_turn(Pool &pool, const std::vector<long> &values) {
  std::vector<long> partial(8);
  pool.in_turn(values.size(), [&](int i, int w) { partial[w] += values[i]; });
  return partial[0];
}
long other(Pool &pool, const std::vector<long> &values) {
  std::vector<long> partial(8);
  auto add = [&](int i, int w) { partial[w] += values[i]; };
  pool.each(values.size(), add);
  // CHECK-MESSAGES: :[[@LINE-2]]:34: warning: each thread writes its own element of 'other::partial' here
  std::vector<long> rest(8);
  auto both = [&](int i, int w) { rest[w] += values[i]; };
  pool.each(values.size(), both);
  both(1, 2);
  return partial[0];
}
