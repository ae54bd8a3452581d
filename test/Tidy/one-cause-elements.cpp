// An array that is aligned as a whole was to give each writer an element of its
// own: a copy per thread is there, and only its lines are not.
// RUN: %check_tidy %s "linesman-global-write,linesman-broken-isolation" %t
// RUN: %check_tidy -check-suffix=ALONE %s linesman-global-write %t
#include "threads.h"
struct Worker {
  int id;
};
alignas(64) std::atomic<long> nodes[8];
// CHECK-MESSAGES: :[[@LINE-1]]:31: warning: the alignment of 'nodes' is the array's, not its elements': they are 8 bytes apart
void visit(const Worker &worker) {
  nodes[worker.id].fetch_add(1);
  // CHECK-MESSAGES-ALONE: :[[@LINE-1]]:3: warning: 'nodes' has static storage, and 'visit' updates an element of it
}
// Nothing says that these are one for each, and one word is for all.
std::atomic<long> kinds[8];
alignas(64) std::atomic<long> all;
void note(int kind) {
  kinds[kind].fetch_add(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'kinds' has static storage, and 'note' updates an element of it
  // CHECK-MESSAGES-ALONE: :[[@LINE-2]]:3: warning: 'kinds' has static storage
  all.fetch_add(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'all' has static storage, and 'note' updates it
  // CHECK-MESSAGES-ALONE: :[[@LINE-2]]:3: warning: 'all' has static storage
}
