// RUN: %check_tidy -fix-notes %s linesman-thread-object %t
#include "threads.h"
int rand();
struct Lane {
  std::atomic<long> claimed;
  // CHECK-FIXES: alignas(64) long depth;
  long depth;
};
thread_local Lane *lane;
extern Lane *lanes[64];
bool claim() {
  return lanes[rand() % 64]->claimed.fetch_add(1) == 0;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: each thread has a 'Lane' of its own
}
void descend() { lane->depth++; }
