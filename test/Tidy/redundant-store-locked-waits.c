// Who waits for others holds nothing that keeps them away: to turn off this
// core's interrupts locks nobody out.
// RUN: %check_tidy %s linesman-redundant-store %t

struct spin_lock {
  long taken;
};
struct queue_lock {
  long taken, waiting;
};
struct mutex;

unsigned interrupts_lock(void);
void interrupts_unlock(unsigned state);
void mutex_lock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
void relax(void);

static inline int compare_and_set(long *word, long expected, long value) {
  return __atomic_compare_exchange_n(word, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

unsigned spin_take(struct spin_lock *lock) {
  unsigned state = interrupts_lock();
  while (!compare_and_set(&lock->taken, 0, 1))
    relax();
  // CHECK-MESSAGES: :[[@LINE-2]]:11: warning: this compare-exchange on 'spin_lock::taken' expects a constant, and nothing loads 'spin_lock::taken' before
  return state;
}
unsigned spin_take_by_exchange(struct spin_lock *lock) {
  unsigned state = interrupts_lock();
  while (__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE))
    relax();
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'spin_lock::taken' on every turn while it waits
  return state;
}
void spin_leave(struct spin_lock *lock, unsigned state) {
  __atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
  interrupts_unlock(state);
}

// The cure: it looks first.
unsigned spin_take_looking(struct spin_lock *lock) {
  unsigned state = interrupts_lock();
  do
    while (__atomic_load_n(&lock->taken, __ATOMIC_RELAXED))
      relax();
  while (!compare_and_set(&lock->taken, 0, 1));
  return state;
}

// Taken anew on each turn: the word moves with the lock.
void queue_take(struct mutex *around, struct queue_lock *lock) {
  for (;;) {
    mutex_lock(around);
    if (compare_and_set(&lock->taken, 0, 1)) {
      mutex_unlock(around);
      return;
    }
    mutex_unlock(around);
  }
}
// No loop: whoever has the lock is the only one who tries.
int queue_try(struct mutex *around, struct queue_lock *lock) {
  mutex_lock(around);
  int done = __atomic_exchange_n(&lock->waiting, 1, __ATOMIC_ACQUIRE) == 0;
  mutex_unlock(around);
  return done;
}
void queue_leave(struct mutex *around, struct queue_lock *lock) {
  mutex_lock(around);
  __atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&lock->waiting, 0, __ATOMIC_RELEASE);
  mutex_unlock(around);
}
