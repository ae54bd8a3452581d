// RUN: %check_tidy %s linesman-lock-neighbour %t
// An array of values, each with its lock, to which a lock is the only way.
#include "threads.h"

template <typename T> class Guarded {
  std::mutex mutex;
  T value;

public:
  struct Guard {
    Guarded *of;
    explicit Guard(Guarded *of) : of(of) { of->mutex.lock(); }
    ~Guard() { of->mutex.unlock(); }
    T *operator->() { return &of->value; }
  };
  Guard lock() { return Guard(this); }
};
struct Waiters {
  char bytes[48];
  void wake();
};

Guarded<Waiters> domains[128];
Guarded<Waiters> &domainOf(const void *value) {
  unsigned long domain = (reinterpret_cast<unsigned long>(value) >> 5) % 128;
  return domains[domain];
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: a computed number picks one of the locks in 'domains' here, and they are 88 bytes apart: the end of one and the start of the next share a cache line of 64
}

// Right: whole lines; a loop's counter; what has another way in.
class alignas(64) Line {
  std::mutex mutex;

public:
  void lock();
};
Line lines[128];
Line &lineOf(unsigned long key) { return lines[key % 128]; }

Guarded<Waiters> all[128];
Guarded<Waiters> &nth(int i) {
  for (int n = 0; n != 128; ++n)
    if (n * 3 == i)
      return all[n];
  return all[0];
}

struct Open {
  std::mutex mutex;
  long value;
  void lock();
};
Open open[128];
long &valueOf(unsigned long key) { return open[key % 128].value; }

// Who is given an element may only ask how long it is.
template <typename T> class Queue {
  std::mutex mutex;
  T value;

public:
  void lock();
  int length() const;
};
Queue<Waiters> queues[128];
Queue<Waiters> &queueOf(unsigned long key) { return queues[key % 128]; }

void use(const void *value) {
  queueOf(3).length();
  domainOf(value).lock()->wake();
  nth(3).lock()->wake();
  lineOf(3).lock();
  ++valueOf(3);
}
