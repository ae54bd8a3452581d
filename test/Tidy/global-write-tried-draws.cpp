// A generator that is drawn from while a lock is tried: who has got the lock is
// gone, and holds it for no draw.
// RUN: %check_tidy %s linesman-global-write %t

unsigned long counter = 65654363;
struct Lock {
  volatile unsigned word;
};
void pause_for(unsigned long);

static inline unsigned long draw() {
  counter = 151117737 * counter + 119785373;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'counter' is one random generator for all threads, and 'draw' draws from it
  return counter >> 16;
}

bool take(Lock &lock) {
  for (int i = 0; i < 30; ++i) {
    if (lock.word == 0 && __sync_lock_test_and_set(&lock.word, 1) == 0)
      return true;
    pause_for(draw() % 6);
  }
  return false;
}

// The fix.
thread_local unsigned long own_counter = 65654363;

static inline unsigned long own_draw() {
  own_counter = 151117737 * own_counter + 119785373;
  return own_counter >> 16;
}

bool take_own(Lock &lock) {
  for (int i = 0; i < 30; ++i) {
    if (lock.word == 0 && !__sync_lock_test_and_set(&lock.word, 1))
      return true;
    pause_for(own_draw() % 6);
  }
  return false;
}

// Who has the lock draws: the branch is for those who have not got it.
unsigned long held_counter;

static inline unsigned long held_draw() {
  held_counter = 151117737 * held_counter + 119785373;
  return held_counter >> 16;
}

unsigned long draw_held(Lock &lock) {
  if (__sync_lock_test_and_set(&lock.word, 1) != 0)
    return 0;
  unsigned long drawn = held_draw();
  __sync_lock_release(&lock.word);
  return drawn;
}
