// std::random_shuffle(begin, end) draws from the C library's generator.
// RUN: %check_tidy %s linesman-global-write %t -- -std=c++14 -fopenmp
#include "threads.h"
namespace std {
template <typename I> void random_shuffle(I, I);
template <typename I, typename R> void random_shuffle(I, I, R &&);
} // namespace std

struct Lists {
  std::mutex change;
  int **rows, *lengths, count;
};

// Who starts the region's threads holds the lock.
void mix(Lists &lists) {
  std::lock_guard<std::mutex> guard(lists.change);
#pragma omp parallel for
  for (int i = 0; i < lists.count; ++i)
    for (int round = 0; round < 3; ++round)
      std::random_shuffle(lists.rows[i], lists.rows[i] + lists.lengths[i]);
  // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'std::random_shuffle' has one state for all threads that run this loop
}

// ---- From here on: nothing.

// The fix, and a shuffle that one thread does.
int draw(int);
void fixed_mix(Lists &lists) {
#pragma omp parallel for
  for (int i = 0; i < lists.count; ++i)
    std::random_shuffle(lists.rows[i], lists.rows[i] + lists.lengths[i], draw);
}
void prepare(Lists &lists) {
  for (int i = 0; i < lists.count; ++i)
    std::random_shuffle(lists.rows[i], lists.rows[i] + lists.lengths[i]);
}
