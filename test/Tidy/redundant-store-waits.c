// Loops that wait for a lock by writing, however they are written: the result
// has a name, an if leaves, the exchange is one call away, or the lock is the
// library's.
// RUN: %check_tidy -std=gnu11 %s linesman-redundant-store %t -- -pthread
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

struct queue {
  volatile int busy;
  int length;
  pthread_mutex_t lock;
  pthread_spinlock_t spin;
};
int take_word(volatile int *word) { return __sync_lock_test_and_set(word, 1); }
void serve(struct queue *q);
extern volatile int stopped;

void named(struct queue *q) {
  for (;;) {
    int was = __sync_lock_test_and_set(&q->busy, 1);
    // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: this loop writes 'queue::busy' on every turn while it waits
    if (was == 0)
      break;
    sched_yield();
  }
}
void assigned(struct queue *q) {
  int was;
  do {
    was = __sync_lock_test_and_set(&q->busy, 1);
    // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: this loop writes 'queue::busy' on every turn while it waits
  } while (was);
}
void leaves(struct queue *q) {
  for (;;) {
    if (!take_word(&q->busy))
      // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this loop writes 'word', in 'take_word', on every turn while it waits
      return;
    sched_yield();
  }
}
void counts(struct queue *q) {
  int turns = 0;
  while (take_word(&q->busy)) {
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this loop writes 'word', in 'take_word', on every turn while it waits
    if (++turns > 100) {
      sched_yield();
      turns = 0;
    }
  }
}
void library(struct queue *q) {
  while (pthread_mutex_trylock(&q->lock) != 0)
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this loop tries to take 'queue::lock' on every turn until it has it, and each try writes: each waiting core takes the cache line away from the others and from the one that will release it; take the lock with a call that waits
    sched_yield();
  q->length++;
  pthread_mutex_unlock(&q->lock);
}
void spins(struct queue *q) {
  int failed;
  do {
    failed = pthread_spin_trylock(&q->spin);
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: this loop tries to take 'queue::spin' on every turn until it has it
  } while (failed);
  q->length++;
  pthread_spin_unlock(&q->spin);
}

// In a function that is nothing but the try, so many times.
static int failed_try(struct queue *q) {
  return pthread_mutex_trylock(&q->lock) != 0;
}
void pause_with(unsigned turns, const char *why);
void bounded(struct queue *q) {
  unsigned turns = 0;
  do {
    pause_with(turns, "queue");
    if (!failed_try(q)) {
      // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this loop tries to take 'queue::lock' on every turn until it has it
      q->length++;
      return;
    }
  } while (turns++ < 100);
  pthread_mutex_lock(&q->lock);
}

// ---- From here on: nothing.

void tries_many(struct queue *all) {
  for (struct queue *q = all; q->length; q++)
    if (!failed_try(q))
      return;
}

// The lock is had when it is left; another way out decides.
void polls(struct queue *q) {
  while (pthread_mutex_trylock(&q->lock) != 0)
    serve(q);
  pthread_mutex_unlock(&q->lock);
}
void sleeps(struct queue *q) {
  while (pthread_mutex_trylock(&q->lock) != 0)
    usleep(100);
}
void others(struct queue *all, int n) {
  for (int i = 0; i < n; i++)
    if (pthread_mutex_trylock(&all[i].lock) == 0)
      return;
}
void works(struct queue *q) {
  while (pthread_mutex_trylock(&q->lock) == 0) {
    q->length++;
    pthread_mutex_unlock(&q->lock);
  }
}
void once(struct queue *q) {
  for (int tries = 0; tries < 1; tries++) {
    int was = __sync_lock_test_and_set(&q->busy, 1);
    if (was)
      return;
    serve(q);
  }
}
void backs_off(struct queue *a, struct queue *b) {
  pthread_mutex_lock(&a->lock);
  while (pthread_mutex_trylock(&b->lock) != 0) {
    pthread_mutex_unlock(&a->lock);
    pthread_mutex_lock(&a->lock);
  }
}
void looks(struct queue *q) {
  for (;;) {
    if (!take_word(&q->busy))
      return;
    while (q->busy)
      sched_yield();
  }
}
void serves(struct queue *q) {
  for (;;) {
    if (!take_word(&q->busy))
      return;
    serve(q);
  }
}
