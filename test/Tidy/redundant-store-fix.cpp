// Where the object's name does something, the load would do it again: such a
// loop is left as it is, and reported again.
// RUN: %check_tidy -not-clean %s linesman-redundant-store %t
#include "threads.h"

std::atomic<bool> locked;
std::atomic_flag flag;
int word;
void spin() {
  while (locked.exchange(true, std::memory_order_acquire))
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'locked' on every turn
  // CHECK-FIXES: while (locked.load(std::memory_order_relaxed) || locked.exchange(true, std::memory_order_acquire))
  while (flag.test_and_set())
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'flag' on every turn
  // CHECK-FIXES: while (flag.test(std::memory_order_relaxed) || flag.test_and_set())
  while (__atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE))
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'word' on every turn
  // CHECK-FIXES: while (__atomic_load_n(&word, __ATOMIC_RELAXED) || __atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE))
}

struct Lock {
  std::atomic<bool> held;
};
struct Owner {
  Lock *operator->() const;
};
void spin_behind(Owner &Mine) {
  while (Mine->held.exchange(true))
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'Lock::held' on every turn
  // CHECK-FIXES: while (Mine->held.exchange(true))
}
