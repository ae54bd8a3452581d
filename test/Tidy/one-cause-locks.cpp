// An array of locks by the core's number is one finding, of the first check.
// RUN: %check_tidy %s "linesman-lock-neighbour,linesman-thread-slot" %t
// RUN: %check_tidy -check-suffix=ALONE %s linesman-thread-slot %t
#include "threads.h"
extern "C" int sched_getcpu();
struct SpinLock {
  std::atomic<int> word;
  void lock();
  void unlock();
};
template <typename T> struct Array {
  T *first;
  T &operator[](unsigned long i) const;
};
struct Reader {
  Array<SpinLock> locks;
  long read() {
    int cpu = sched_getcpu();
    std::lock_guard<SpinLock> held(locks[cpu]);
    // CHECK-MESSAGES: :[[@LINE-1]]:31: warning: a computed number picks one of the locks in 'Reader::locks' here, and they are 4 bytes apart
    // CHECK-MESSAGES-ALONE: :[[@LINE-2]]:31: warning: each thread writes its own element of 'Reader::locks' here, but elements are 4 bytes apart
    return cpu;
  }
};

// Lines of their own.
struct alignas(64) FarLock : SpinLock {};
struct FarReader {
  Array<FarLock> locks;
  long read() {
    int cpu = sched_getcpu();
    std::lock_guard<SpinLock> held(locks[cpu]);
    return cpu;
  }
};
