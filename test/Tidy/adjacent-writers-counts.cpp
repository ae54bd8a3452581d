// RUN: %check_tidy %s linesman-adjacent-writers %t
#include "threads.h"
// Counts of what happens, by kind: who counts one kind takes the line from
// those who count the others.
enum Kind : unsigned { Hit, Miss, Evict, Flush, Kinds };

class Statistics {
  std::atomic<unsigned long> counts[Kinds];

public:
  void count(Kind kind) { counts[kind].fetch_add(1); }
  // CHECK-MESSAGES: :[[@LINE-1]]:27: warning: 'Statistics::count' counts one of several kinds in 'Statistics::counts', 8 bytes apart: up to 8 counts are on a cache line of 64, and threads that count different kinds still write one line; keep a copy of 'Statistics::counts' per thread and add them where they are read
  unsigned long get(Kind kind) const { return counts[kind].load(); }
};

// By a number, for which callers have different constants.
struct Store {
  int file;
  unsigned long ops[5];
};
static inline void count_op(Store *store, int op) {
  __atomic_fetch_add(&store->ops[op], 1, __ATOMIC_RELAXED);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'count_op' counts one of several kinds in 'Store::ops'
}
void get(Store *store) { count_op(store, 0); }
void put(Store *store) { count_op(store, 1); }

// A class of an enumeration, in std::array.
enum class Event { Enter, Leave, Retry };
struct Events {
  std::array<std::atomic<long>, 3> seen;
  void add(Event event) { seen[static_cast<size_t>(event)]++; }
  // CHECK-MESSAGES: :[[@LINE-1]]:27: warning: 'Events::add' counts one of several kinds in 'Events::seen'
};

// A line for each kind; each thread's own copy; copies in an array; a number
// that is no kind; what the caller does with the result.
struct alignas(64) Wide {
  std::atomic<long> value;
};
struct Apart {
  Wide counts[Kinds];
  void count(Kind kind) { counts[kind].value.fetch_add(1); }
};
struct Own {
  std::atomic<long> counts[Kinds];
  void count(Kind kind) { counts[kind].fetch_add(1); }
};
thread_local Own own;
struct Shard {
  std::atomic<long> counts[Kinds];
  void count(Kind kind) { counts[kind].fetch_add(1); }
};
struct Shards {
  Shard shards[8];
  void count(unsigned hash, Kind kind) { shards[hash & 7].count(kind); }
};
struct Histogram {
  std::atomic<long> buckets[16];
  void count(unsigned long size) { buckets[size >> 60].fetch_add(1); }
};
struct Numbers {
  std::atomic<long> next[Kinds];
  long take(Kind kind) { return next[kind].fetch_add(1); }
};

// One word of an array by a fixed name is a field like others.
struct Fixed {
  std::atomic<long> counts[Kinds];
  void hit() { counts[Hit].fetch_add(1); }
};

// ---- A ring whose elements are counted: the ends are plain, and two threads'.
class Ring {
  int buffer[1024];
  std::atomic<unsigned> length;
  unsigned first;
  unsigned last;
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'Ring::first' (offset 4100) and 'Ring::last' (offset 4104) may be on one cache line and have different writers, 'Ring::pop' and 'Ring::push'

public:
  bool push(int value) {
    if (length.load() == 1024)
      return false;
    buffer[last++ % 1024] = value;
    length.fetch_add(1);
    return true;
  }
  bool pop(int &value) {
    if (length.load() == 0)
      return false;
    value = buffer[first++ % 1024];
    length.fetch_sub(1);
    return true;
  }
};
// One thread's; apart; behind a lock.
class OneThreads {
  int buffer[1024];
  unsigned length, first, last;

public:
  void push(int value) {
    buffer[last++ % 1024] = value;
    ++length;
  }
  void pop(int &value) {
    value = buffer[first++ % 1024];
    --length;
  }
};
class ApartRing {
  int buffer[1024];
  alignas(64) std::atomic<unsigned> length;
  alignas(64) unsigned first;
  alignas(64) unsigned last;

public:
  void push(int value) {
    buffer[last++ % 1024] = value;
    length.fetch_add(1);
  }
  void pop(int &value) {
    value = buffer[first++ % 1024];
    length.fetch_sub(1);
  }
};
class Locked {
  int buffer[1024];
  std::atomic<unsigned> length;
  unsigned first, last;
  std::mutex lock;

public:
  void push(int value) {
    std::lock_guard<std::mutex> guard(lock);
    buffer[last++ % 1024] = value;
    length.fetch_add(1);
  }
  void pop(int &value) {
    std::lock_guard<std::mutex> guard(lock);
    value = buffer[first++ % 1024];
    length.fetch_sub(1);
  }
};

// ---- A lock of tickets: what lets go is called with the lock held, and the
// lock's own words are no less shared for that.
class TicketLock {
  std::atomic<unsigned> next;
  std::atomic<unsigned> serving;
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: 'TicketLock::next' (offset 0) and 'TicketLock::serving' (offset 4) may be on one cache line and have different writers, 'TicketLock::lock' and 'TicketLock::unlock'

public:
  void lock() {
    const unsigned ticket = next.fetch_add(1);
    while (serving.load() != ticket) {
    }
  }
  void unlock() { serving.store(serving.load() + 1); }
};
void locked(TicketLock &lock) {
  lock.lock();
  lock.unlock();
}
