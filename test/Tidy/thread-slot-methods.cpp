// RUN: %check_tidy %s linesman-thread-slot %t
#include "threads.h"
// The number of its thread, which an object that is handed in says.
class State {
  int index;

public:
  int thread_index() const { return index; }
  int threads() const;
  int item_index() const;
};
struct Run {
  unsigned long *used;
  unsigned long *items;
  unsigned long *all;
  State own;
  void step(State &state, unsigned long size) {
    used[state.thread_index()] += size;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'Run::used' here, but elements are 8 bytes apart
    items[state.item_index()] += size;
    all[state.threads()] += size;
  }
  // Each in turn: who sums up what the threads have done.
  void collect(const std::vector<State> &states, unsigned long *sums) {
    for (size_t i = 0; i < 8; ++i) {
      const State each = states[i];
      sums[each.thread_index()] += used[i];
    }
  }
};
