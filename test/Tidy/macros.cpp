// A hazard in a macro is reported where the macro is used, once; nothing is
// reported that only the macro's other uses would be.
// RUN: %check_tidy %s 'linesman-*' %t
#include "threads.h"

#define COUNT(What) (What)++
#define UNUSED_COUNT(What) ((void)sizeof(What))

struct Cache {
  std::atomic<long> hits;
  long limit;
  void hit() { COUNT(hits); }
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'Cache::hits' (offset 0) is updated here{{.*}} [linesman-adjacent-hot-fields]
  void miss() { UNUSED_COUNT(hits); }
  bool fits(long Key) const { return Key < limit; }
};

#define ON_OWN_LINE alignas(64)
struct Queue {
  ON_OWN_LINE std::atomic<long> head;
  std::atomic<long> tail;
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'Queue::tail' (offset 8) is on the cache line{{.*}} [linesman-broken-isolation]
};
struct Separate {
  ON_OWN_LINE std::atomic<long> head;
  ON_OWN_LINE std::atomic<long> tail;
};

#define SPIN_ON(Word)                                                          \
  while ((Word).exchange(true))                                                \
  ;
std::atomic<bool> locked;
void lock() {
  SPIN_ON(locked)
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: this loop writes 'locked'{{.*}} [linesman-redundant-store]
}

thread_local int thread_index;
#define MINE(Array) (Array)[thread_index]
static long slots[8];
void serve() {
  MINE(slots) += 2;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'slots'{{.*}} [linesman-thread-slot]
}
long served(int I) { return slots[I]; }

#define REMEMBER(Where) last_line = (Where)
static int last_line;
void remember() {
  REMEMBER(__LINE__);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'last_line' is written here and never read{{.*}} [linesman-write-only-global]
}
