// A lock's waiting loop, whose exchange is one call away and whose result has a
// name: what waits takes the line of whoever holds the lock, on every turn.
// RUN: %check_tidy %s linesman-redundant-store %t

typedef struct {
  unsigned char word;
} flag_lock;

void pause_for(unsigned turns);
void look_at(flag_lock *lock);

int flag_try(flag_lock *lock) {
  int was = __atomic_test_and_set(&lock->word, __ATOMIC_ACQUIRE);
  return was == 0;
}

void flag_take(flag_lock *lock) {
  for (unsigned turns = 0; !flag_try(lock); ++turns)
    pause_for(turns);
  // CHECK-MESSAGES: :[[@LINE-2]]:29: warning: this loop writes 'flag_lock::word', in 'flag_try', on every turn while it waits
}
void flag_leave(flag_lock *lock) { __atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE); }

// The cure: it looks first.
int test_try(flag_lock *lock) {
  if (__atomic_load_n(&lock->word, __ATOMIC_RELAXED))
    return 0;
  int was = __atomic_test_and_set(&lock->word, __ATOMIC_ACQUIRE);
  return was == 0;
}
void test_take(flag_lock *lock) {
  for (unsigned turns = 0; !test_try(lock); ++turns)
    pause_for(turns);
}

// The body may look until the lock is free.
void look_take(flag_lock *lock) {
  while (!flag_try(lock))
    look_at(lock);
}

// One try is no loop.
int take_once(flag_lock *lock) {
  if (!flag_try(lock))
    return 0;
  look_at(lock);
  flag_leave(lock);
  return 1;
}

// "Free" is not always 0: it is what another function leaves there.
struct seat {
  unsigned owner;
};
void sit(struct seat *s, unsigned who) {
  while (!__sync_bool_compare_and_swap(&s->owner, -1u, who))
    pause_for(1);
  // CHECK-MESSAGES: :[[@LINE-2]]:11: warning: this compare-exchange on 'seat::owner' expects a constant
}
void rise(struct seat *s) { __atomic_store_n(&s->owner, -1u, __ATOMIC_RELEASE); }

// From one state to the next, and who looks first.
struct stage {
  unsigned state;
};
void advance(struct stage *s) {
  while (!__sync_bool_compare_and_swap(&s->state, 1, 2))
    pause_for(1);
}
void end(struct stage *s) { __atomic_store_n(&s->state, 3, __ATOMIC_RELEASE); }
void sit_softly(struct seat *s, unsigned who) {
  do {
    while (__atomic_load_n(&s->owner, __ATOMIC_RELAXED) != -1u)
      pause_for(1);
  } while (!__sync_bool_compare_and_swap(&s->owner, -1u, who));
}

// A word's own type behind one function for all sizes, and the expected value
// handed over as a copy.
static unsigned long long exchange_64(volatile unsigned long long *word, unsigned long long expected,
                                      unsigned long long desired) {
  return __sync_val_compare_and_swap(word, expected, desired);
}
static unsigned long exchange_word(volatile unsigned long *word, unsigned long expected, unsigned long desired) {
  return (unsigned long)exchange_64((volatile unsigned long long *)word, (unsigned long long)expected,
                                    (unsigned long long)desired);
}
struct monitor {
  unsigned long turns;
  unsigned long state;
};
int enter(struct monitor *m) {
  volatile unsigned long *target = &m->state;
  unsigned long open = 0, closed = 1;
  for (unsigned long turn = m->turns; turn > 0; --turn) {
    if (open == exchange_word(target, open, closed))
      // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: this compare-exchange on 'monitor::state' expects a constant
      return 1;
    pause_for(1);
  }
  return 0;
}
int enter_softly(struct monitor *m) {
  volatile unsigned long *target = &m->state;
  unsigned long open = 0, closed = 1;
  for (unsigned long turn = m->turns; turn > 0; --turn) {
    if (*target == open && open == exchange_word(target, open, closed))
      return 1;
    pause_for(1);
  }
  return 0;
}
// What it saw comes back: the copy is no constant.
unsigned long raise_to(struct monitor *m, unsigned long level) {
  unsigned long seen = 0;
  for (;;) {
    unsigned long now = exchange_word(&m->turns, seen, level);
    if (now == seen)
      return level;
    seen = now;
  }
}
