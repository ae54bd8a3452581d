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
// Methods of the element that are not const: one only reads it, the others write it, by themselves, by another method,
// by a function that gets it, or give a part of it away to be written.
void set(class Worker &worker);
class Worker {
  friend void set(Worker &worker);
  unsigned long *sums;
  unsigned long count;
  void add() { count++; }

public:
  void ask(unsigned long n) { *sums = n; }
  void tell(unsigned long n) { count += n; }
  void tellBy(unsigned long n) {
    if (n)
      add();
  }
  void tellOf(unsigned long n) {
    if (n)
      set(*this);
  }
  unsigned long &part() { return count; }
};
inline void set(Worker &worker) { worker.count = 1; }
struct Team {
  Worker *asked, *told, *toldBy, *toldOf, *given;
  void step(State &state, unsigned long size) {
    for (unsigned long i = 0; i < size; ++i) {
      asked[state.thread_index()].ask(i);
      told[state.thread_index()].tell(i);
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'Team::told' here
      toldBy[state.thread_index()].tellBy(i);
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'Team::toldBy' here
      toldOf[state.thread_index()].tellOf(i);
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'Team::toldOf' here
      given[state.thread_index()].part() = i;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'Team::given' here
    }
  }
};
