// RUN: %check_tidy %s linesman-lock-neighbour %t
// A field that only decides whether the lock beside it is taken: who reads it goes on to the lock.
#include "threads.h"

class Switched {
  std::mutex mutex;
  bool enabled = true;
  long sum = 0;

public:
  bool isEnabled() const { return enabled; }
  bool isOff() const { return !enabled; }
  int cost() const { return enabled ? 2 : 1; }
  void lock() {
    if (enabled)
      mutex.lock();
  }
  void unlock() {
    if (enabled) {
      mutex.unlock();
      sum++;
    }
  }
  void add(long value) {
    mutex.lock();
    sum += value;
    mutex.unlock();
  }
  void sub(long value) {
    mutex.lock();
    sum -= value;
    mutex.unlock();
  }
};

// What is done while the lock is held decides more than that.
class Worked {
  std::mutex mutex;
  bool enabled = true;
  long sum = 0;

public:
  bool isEnabled() const { return enabled; }
  bool isOff() const { return !enabled; }
  int cost() const { return enabled ? 2 : 1; }
  void add(long value) {
    if (enabled) {
      mutex.lock();
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Worked::mutex' (offset 0) is taken here, in 'Worked::add', and may share its cache line with 'Worked::enabled' (offset 40), which 3 functions read without it
      sum += value;
      mutex.unlock();
    }
  }
  void sub(long value) {
    mutex.lock();
    sum -= value;
    mutex.unlock();
  }
};
