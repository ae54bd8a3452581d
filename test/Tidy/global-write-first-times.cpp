// RUN: %check_tidy %s linesman-global-write %t
// Who reports only the first few counts only those.
#include "threads.h"
void report(int);

#define FIRST(n)                                                                                                       \
  static std::atomic<int> seen;                                                                                        \
  if (seen <= n)                                                                                                       \
    ++seen;                                                                                                            \
  if (seen <= n)                                                                                                       \
    report(n);
void first(int error) {
  if (error) {
    FIRST(1)
  }
}
int plain() {
  static int seen = 0;
  if (seen < 5) {
    seen++;
  }
  return seen;
}

// ---- All of them; those that are something else; a count that goes down, too,
// has no bound; nor has the one that another decides about.
void all(int error) {
  static std::atomic<int> seen;
  if (error < 5)
    ++seen;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'all::seen' has static storage, and 'all' updates it
}
void beyond(int error) {
  static std::atomic<int> seen;
  if (seen > error)
    ++seen;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'beyond::seen' has static storage, and 'beyond' updates it
}
std::atomic<int> used;
bool take() {
  if (used < 5)
    ++used;
  return used < 5;
}
void give() { --used; }
// CHECK-MESSAGES: :[[@LINE-1]]:15: warning: 'used' has static storage, and 'give' updates it
