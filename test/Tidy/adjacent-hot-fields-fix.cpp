// RUN: %check_tidy -fix-notes %s linesman-adjacent-hot-fields %t
#include "threads.h"

struct Cache {
  std::atomic<long> hits;
  long limit = 10;
  // CHECK-FIXES: alignas(64) long limit = 10;
  void hit() { hits++; }
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'Cache::hits' (offset 0) is updated here
  bool fits(long Key) const { return Key < limit; }
};
