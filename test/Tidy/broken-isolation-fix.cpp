// RUN: %check_tidy -fix-notes %s linesman-broken-isolation %t
#include "threads.h"

struct Queue {
  alignas(64) std::atomic<long> head;
  std::atomic<long> tail;
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'Queue::tail' (offset 8) is on the cache line
  // CHECK-FIXES: alignas(64) std::atomic<long> tail;
};

// CHECK-MESSAGES: :[[@LINE+2]]:8: warning: 'Padded' is padded to 64 bytes
// CHECK-FIXES: struct alignas(64) Padded {
struct Padded {
  std::atomic<long> value;
  char pad[56];
};
