// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
// A position that is moved on by a compare-exchange, in a loop that compares
// it, and by a sum with a name.
#include "threads.h"

struct alignas(64) Ring {
  std::atomic<int> done;
  int mask;
  std::atomic<unsigned char> *flags;
};
struct Scheduler {
  Ring *ring;
  bool isReady(int id) const { return ring->flags[id & ring->mask].load() != 0; }
  int firstWaiting(int end) const {
    for (int i = 0; i < end; ++i)
      if (ring->flags[i & ring->mask].load() == 0)
        return i;
    return -1;
  }
  void complete(int end) {
    int at = ring->done.load();
    while (at + 1 < end) {
      int next = at + 1;
      if (ring->flags[next & ring->mask].load() == 0)
        break;
      if (ring->done.compare_exchange_weak(at, next))
        // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: 'Ring::done' (offset 0) is updated here, in 'Scheduler::complete', and shares its cache line with 'Ring::mask' (offset 4), which 2 functions read
        at = next;
    }
  }
};

// A maximum is rarely moved.
struct alignas(64) Marks {
  std::atomic<int> highest;
  int limit;
};
bool fits(const Marks *marks, int n) { return n < marks->limit; }
int room(const Marks *marks, int n) { return marks->limit - n; }
void note(Marks *marks, int seen) {
  int old = marks->highest.load();
  while (old < seen && !marks->highest.compare_exchange_weak(old, seen))
    ;
}

// Stored by one function, plainly, and read by many without a lock, beside what
// several count atomically; and read by one only; and changed under a lock; and
// by two functions.
struct Cache {
  std::atomic<long> hits;
  long limit;
};
void hit(Cache *cache) { cache->hits.fetch_add(1); }
// CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 'Cache::hits' (offset 0) is updated here, in 'hit', and may share its cache line with 'Cache::limit' (offset 8), which 3 functions read without changing it
void miss(Cache *cache) { cache->hits.fetch_sub(1); }
void grow(Cache *cache, long by) { cache->limit = by; }
bool fits(const Cache *cache, long n) { return n < cache->limit; }
long room(const Cache *cache, long n) { return cache->limit - n; }
long half(const Cache *cache) { return cache->limit / 2; }

struct Few {
  std::atomic<long> hits;
  long limit;
};
void hit(Few *cache) { cache->hits.fetch_add(1); }
void miss(Few *cache) { cache->hits.fetch_sub(1); }
void grow(Few *cache, long by) { cache->limit = by; }
bool fits(const Few *cache, long n) { return n < cache->limit; }

struct Often {
  std::atomic<long> hits;
  long limit;
};
void hit(Often *cache) { cache->hits.fetch_add(1); }
void miss(Often *cache) { cache->hits.fetch_sub(1); }
void grow(Often *cache, long by) { cache->limit = by; }
void shrink(Often *cache, long by) { cache->limit = -by; }
bool fits(const Often *cache, long n) { return n < cache->limit; }
long room(const Often *cache, long n) { return cache->limit - n; }
long half(const Often *cache) { return cache->limit / 2; }
