// RUN: %check_tidy %s linesman-redundant-store %t
#include <stdatomic.h>

static atomic_int word;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int plain, begun;
static atomic_int begun_c11;

void spin(void) {
  while (atomic_exchange(&word, 1))
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'word' on every turn while it waits
  while (atomic_flag_test_and_set(&flag))
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'flag' on every turn while it waits
  while (__atomic_exchange_n(&plain, 1, __ATOMIC_ACQUIRE))
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'plain' on every turn while it waits
  while (__sync_lock_test_and_set(&plain, 1))
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'plain' on every turn while it waits
  while (__atomic_test_and_set(&plain, __ATOMIC_ACQUIRE))
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'plain' on every turn while it waits
}

int claim(void) {
  return __sync_bool_compare_and_swap(&begun, 0, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this compare-exchange on 'begun' expects a constant
}
int claim_c11(void) {
  int expected = 0;
  return atomic_compare_exchange_strong(&begun_c11, &expected, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this compare-exchange on 'begun_c11' expects a constant
}

void spin_with_load(void) {
  while (atomic_exchange(&word, 1))
    while (atomic_load(&word))
      ;
  while (word || atomic_exchange(&word, 1))
    ;
}
void unlock_by_clear(void) { __atomic_clear(&plain, __ATOMIC_RELEASE); }
void unlock(void) { __sync_lock_release(&plain); }
