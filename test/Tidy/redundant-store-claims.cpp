// RUN: %check_tidy %s linesman-redundant-store %t
#include "threads.h"
// Whoever finds the flag set already need not write.
class Worker {
  std::atomic<bool> pending;
  void wake();

public:
  void post() {
    if (!pending.exchange(true))
      // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Worker::post' exchanges 'Worker::pending' for the same constant to see whether it was set, and takes its cache line away from all other cores also when it was, until somebody puts it back; load it first, and exchange only what is not set
      wake();
  }
  void run() {
    pending.store(false);
  }
};

class Looks {
  std::atomic<bool> pending;
  void wake();

public:
  void post() {
    if (!pending.load() && !pending.exchange(true))
      wake();
  }
  void run() { pending.store(false); }
};

// Set once; a lock that is tried; what is taken and not set.
class Quiet {
  std::atomic<bool> started, busy;
  std::atomic<void *> first;
  void begin();

public:
  void ask() {
    if (!started.exchange(true))
      begin();
  }
  bool try_lock() {
    if (busy.exchange(true))
      return false;
    return true;
  }
  void unlock() { busy.store(false); }
  bool take() {
    if (first.exchange(nullptr))
      return true;
    return false;
  }
};

// A lock that spins through a compare-exchange of another function.
class Spin {
  std::atomic<int> bits;

public:
  bool try_lock() {
    int free = 0;
    return bits.compare_exchange_strong(free, 1);
  }
  void lock() {
    while (!try_lock())
      ;
    // CHECK-MESSAGES: :[[@LINE-2]]:13: warning: this loop writes 'Spin::bits', in 'Spin::try_lock', on every turn while it waits
  }
  void unlock() { bits.store(0); }
};
void use(Worker &worker, Looks &looks, Quiet &quiet, Spin &spin) {
  worker.post();
  looks.post();
  quiet.ask();
  spin.lock();
  spin.unlock();
}

// What tries is one exchange, behind an assertion.
[[noreturn]] void failed(const char *);
struct Asserted {
  int word;
};
int try_asserted(Asserted *lock) {
  lock ? void(0) : failed("lock");
  (void)0;
  return __sync_lock_test_and_set(&lock->word, 1);
}
int try_counted(Asserted *lock, int *tries) {
  ++*tries;
  return __atomic_load_n(&lock->word, __ATOMIC_RELAXED) ||
         __sync_lock_test_and_set(&lock->word, 1);
}
void relax();
void take_asserted(Asserted *lock, int *tries) {
  while (try_asserted(lock))
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this loop writes 'Asserted::word', in 'try_asserted', on every turn while it waits
    relax();
  while (try_counted(lock, tries))
    relax();
}

// Readers that count themselves in, and out again where a writer is there.
struct Readers {
  std::atomic<int> count;
  void enter() {
    for (;;) {
      if (count.fetch_add(1) >= 0)
        // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: this loop writes 'Readers::count' on every turn while it waits
        return;
      count.fetch_sub(1);
    }
  }
  void enter_after_look() {
    for (;;) {
      while (count.load() < 0) {
      }
      if (count.fetch_add(1) >= 0)
        return;
      count.fetch_sub(1);
    }
  }
  // Work on each turn, counted in and out.
  void work(int turns) {
    for (int i = 0; i < turns; ++i) {
      if (count.fetch_add(1) > 64)
        relax();
      count.fetch_sub(1);
    }
  }
  bool try_enter() {
    if (count.fetch_add(1) >= 0)
      return true;
    count.fetch_sub(1);
    return false;
  }
};
void enter(Readers &readers) {
  readers.enter();
  readers.enter_after_look();
  readers.work(readers.try_enter());
}
