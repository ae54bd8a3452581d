// RUN: %check_tidy %s linesman-global-write %t
#include "threads.h"
template <typename F> void for_all(F &&Work) { Work(); }

long count(const std::vector<int> &all, int n) {
  std::atomic<long> done, alone, once;
  std::vector<std::thread> threads;
  for (int i = 0; i < n; i++)
    threads.emplace_back([&, i] {
      for (size_t k = i; k < all.size(); k += n)
        done += all[k];
      // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'count::done' is one variable for all threads that run this loop, and each turn updates it: its cache line moves to the core that does and away from all others; count in a variable of each thread and add it afterwards [
      once += 1;
    });
  // One after the other.
  for_all([&] {
    for (size_t k = 0; k < all.size(); k++)
      alone += all[k];
  });
  return done + alone + once;
}
// Set for the threads that the turn starts; by each of them, that is another
// matter.
std::atomic<int> running, progress;
std::mutex running_mutex;
void work(int N) {
  for (int i = 0; i < N; i++)
    progress = i;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'progress' has static storage, and 'work' stores to it, in a loop
  std::lock_guard<std::mutex> held(running_mutex);
  running.fetch_add(-1);
}
void deepen(int Depth, int N) {
  for (int i = 1; i < Depth; i++) {
    running = N - 1;
    for (int k = 1; k < N; k++)
      std::thread(work, k);
  }
}
