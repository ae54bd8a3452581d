// RUN: %check_tidy %s linesman-lock-neighbour %t
#include "threads.h"

// A class that is a lock by its shape.
class SpinLock {
  std::atomic<bool> taken;

public:
  void lock() {
    while (taken.exchange(true))
      while (taken.load())
        ;
  }
  void unlock() { taken.store(false); }
};

struct Cache {
  SpinLock mutex;
  int capacity = 10;
  int used = 0;
  void insert() {
    std::lock_guard<SpinLock> Held(mutex);
    // CHECK-MESSAGES: :[[@LINE-1]]:31: warning: 'Cache::mutex' (offset 0) is taken here, in 'Cache::insert', and may share its cache line with 'Cache::capacity' (offset 4), which 3 functions read without it
    used++;
  }
  void erase() {
    std::lock_guard<SpinLock> Held(mutex);
    used--;
  }
  int size() const { return capacity; }
  bool fits(int N) const { return N < capacity; }
  int half() const { return capacity / 2; }
};

struct Shards {
  std::array<SpinLock, 64> locks;
  void lock(unsigned long Hash) {
    unsigned long Mine = Hash % 64;
    locks[Mine].lock();
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: a hash picks one of the locks in 'Shards::locks' here, and they are 1 bytes apart: up to 64 share a cache line of 64
  }
};

// ---- From here on: nothing.

// Aligned, apart, accepted, and one reader.
struct Apart {
  alignas(64) SpinLock mutex;
  alignas(64) int capacity = 10;
  int used = 0;
  void insert() {
    std::lock_guard<SpinLock> Held(mutex);
    used++;
  }
  void erase() {
    std::lock_guard<SpinLock> Held(mutex);
    used--;
  }
  int size() const { return capacity; }
  bool fits(int N) const { return N < capacity; }
  int half() const { return capacity / 2; }
};
struct alignas(64) WideLock {
  SpinLock lock;
};
struct WideShards {
  std::array<WideLock, 64> locks;
  void lock(unsigned long Hash) { locks[Hash % 64].lock.lock(); }
};
struct Small {
  SpinLock mutex;
  int capacity = 10, used = 0;
  void insert() {
    std::lock_guard<SpinLock> Held(mutex);
    used++;
  }
  void erase() {
    std::lock_guard<SpinLock> Held(mutex);
    used--;
  }
  int size() const { return capacity; }
};
struct [[clang::annotate("linesman:shared-ok")]] Accepted {
  SpinLock mutex;
  int capacity = 10, used = 0;
  void insert() {
    std::lock_guard<SpinLock> Held(mutex);
    used++;
  }
  void erase() {
    std::lock_guard<SpinLock> Held(mutex);
    used--;
  }
  int size() const { return capacity; }
  bool fits(int N) const { return N < capacity; }
  int half() const { return capacity / 2; }
};
