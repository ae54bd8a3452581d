// Counts in elements of a local array, which the body of a parallel loop names
// by a constant: as good as a variable of its own.
// RUN: %check_tidy %s linesman-global-write %t
#include "threads.h"

namespace pool {
template <class Turn> void parallel_for(int from, int to, const Turn &turn) {
  for (int i = from; i < to; i++)
    turn(i);
}
} // namespace pool

enum Outcome { Kept, Dropped };
long positive(const int *all, int n) {
  std::atomic<long> counts[2];
  std::vector<std::atomic<long>> sums(2);
  constexpr int Total = 1;
  pool::parallel_for(0, n, [&](int i) {
    if (all[i] > 0)
      counts[Kept] += 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'positive::counts[0]' is one variable for all threads that run this loop, and each turn updates it
    sums[Total] += all[i];
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'positive::sums[1]' is one variable for all threads that run this loop, and each turn updates it
  });
  return counts[Kept] + sums[Total];
}

// ---- From here on: nothing.

// Data picks the cell; a turn that is long; each turn's own.
void work(int);
long right(const int *all, int n) {
  std::vector<std::atomic<long>> histogram(1024), done(1);
  pool::parallel_for(0, n, [&](int i) { histogram[all[i]] += 1; });
  pool::parallel_for(0, n, [&](int i) {
    work(i);
    done[0] += 1;
  });
  pool::parallel_for(0, n, [&](int i) {
    std::atomic<long> own[2];
    own[0] += all[i];
  });
  return histogram[0] + done[0];
}
