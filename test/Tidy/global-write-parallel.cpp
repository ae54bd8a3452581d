// Counts in a local that the body of a library's parallel loop refers to.
// RUN: %check_tidy %s linesman-global-write %t
#include "threads.h"
namespace tbb {
template <typename Body> void parallel_for(long, long, const Body &) {}
struct range {
  long begin() const, end() const;
};
template <typename Body> void parallel_for(const range &, const Body &) {}
} // namespace tbb
namespace std {
struct parallel_policy {};
struct sequenced_policy {};
extern parallel_policy par;
extern sequenced_policy seq;
template <typename Policy, typename Iterator, typename Body>
void for_each(const Policy &, Iterator, Iterator, Body) {}
} // namespace std

long turns(const int *all, long n) {
  std::atomic<long> found{0};
  tbb::parallel_for(0, n, [&](long i) {
    if (all[i] > 3)
      found++;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'turns::found' is one variable for all threads that run this loop, and each turn updates it: its cache line moves to the core that does and away from all others; count in a variable of each thread and add it afterwards [
  });
  return found;
}
// Over several dimensions, by a project's own function.
template <typename Body> void parallel_nd(long, long, const Body &) {}
long cells(const int *all, long n) {
  std::atomic<long> zeros{0};
  const auto look = [&](long i, long j) {
    if (all[i * n + j] == 0)
      zeros++;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'cells::zeros' is one variable for all threads
  };
  parallel_nd(n, n, look);
  return zeros;
}
long parts(const int *all, tbb::range whole) {
  std::atomic<long> found{0}, once{0};
  tbb::parallel_for(whole, [&](const tbb::range &part) {
    for (long i = part.begin(); i < part.end(); i++)
      found += all[i];
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'parts::found' is one variable for all threads
    once++;
  });
  return found + once;
}
long policies(const int *all, long n) {
  std::atomic<long> found{0}, alone{0};
  std::for_each(std::par, all, all + n, [&](int value) { found += value; });
  // CHECK-MESSAGES: :[[@LINE-1]]:58: warning: 'policies::found' is one variable for all threads
  std::for_each(std::seq, all, all + n, [&](int value) { alone += value; });
  return found + alone;
}
// The project's own, whose threads another unit starts.
template <typename Body> void parallelForEach(const std::vector<int> &, Body) {}
long own(const std::vector<int> &all) {
  std::atomic<long> found{0};
  auto count = [&](int value) { found += value; };
  // CHECK-MESSAGES: :[[@LINE-1]]:33: warning: 'own::found' is one variable for all threads
  parallelForEach(all, count);
  return found;
}

// Now and then, of a turn that works, of each thread, and of one thread.
void work(long i);
long right(const int *all, long n) {
  std::atomic<long> done{0}, rows{0}, sum{0};
  tbb::parallel_for(0, n, [&](long i) {
    work(i);
    rows++;
  });
  tbb::parallel_for(0, n, [&](long i) {
    if (i % 1024 == 0)
      done += 1024;
  });
  tbb::parallel_for(0, n, [&](long i) {
    long own = 0;
    own += all[i];
  });
  auto add = [&](long i) { sum += all[i]; };
  for (long i = 0; i < n; i++)
    add(i);
  return done + rows + sum;
}
