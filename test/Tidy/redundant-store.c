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

// A compare-exchange of one's own, on every packet, for a request that is
// hardly ever there.
typedef struct {
  volatile int counter;
} atomic_t;
struct device {
  atomic_t announce;
  int queues;
};
static inline int my_atomic_cmpset(volatile int *to, int expected, int value) {
  unsigned char done;
  __asm__ volatile("lock; cmpxchgl %2, %1; sete %0"
                   : "=a"(done), "=m"(*to)
                   : "r"(value), "a"(expected), "m"(*to)
                   : "memory");
  return done;
}
static inline int my_atomic_read(const atomic_t *from) { return from->counter; }
int receive(struct device *d) {
  if (__builtin_expect(my_atomic_cmpset(&d->announce.counter, 1, 0), 0))
    return 1;
  // CHECK-MESSAGES: :[[@LINE-2]]:24: warning: this compare-exchange on 'device::announce' expects a constant
  return 0;
}
int receive_looking(struct device *d) {
  if (__builtin_expect(my_atomic_read(&d->announce) &&
                           my_atomic_cmpset(&d->announce.counter, 1, 0),
                       0))
    return 1;
  return 0;
}
