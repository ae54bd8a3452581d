// RUN: %check_tidy %s linesman-adjacent-writers %t
#include "threads.h"
void pause();
void wake();

// One conversation: who raises a flag looks at the other one next.
class Sleeper {
  std::atomic<bool> asleep{false};
  std::atomic<bool> done{false};

public:
  void wait() {
    asleep.store(true);
    while (!done.load())
      pause();
    asleep.store(false);
  }
  void finish() {
    done.store(true);
    if (asleep.load())
      wake();
  }
};

// Who raises the answer does not look: it writes the line of all who ask.
class Stranger {
  std::atomic<bool> asleep{false};
  std::atomic<bool> done{false};
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'Stranger::asleep' (offset 0) and 'Stranger::done' (offset 1) may be on one cache line and have different writers, 'Stranger::wait' and 'Stranger::finish'

public:
  void wait() {
    asleep.store(true);
    while (!done.load())
      pause();
    asleep.store(false);
  }
  void finish() { done.store(true); }
};

// Positions are written for each element, whoever looks.
class Queue {
  std::atomic<unsigned> head{0};
  std::atomic<unsigned> tail{0};
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: 'Queue::head' (offset 0) and 'Queue::tail' (offset 4) may be on one cache line and have different writers

public:
  void push(unsigned at) {
    while (head.load() == at)
      pause();
    tail.store(at);
  }
  bool pop(unsigned at) {
    if (tail.load() == at)
      return false;
    head.store(at + 1);
    return true;
  }
};
