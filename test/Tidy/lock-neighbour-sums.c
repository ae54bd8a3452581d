// RUN: %check_tidy %s linesman-lock-neighbour %t
// An element's address as a sum: `locks + i` is &locks[i].
typedef volatile int pthread_spinlock_t;
int pthread_spin_lock(pthread_spinlock_t *);
int pthread_spin_trylock(pthread_spinlock_t *);
int pthread_spin_unlock(pthread_spinlock_t *);
int look(unsigned hash);
void put(unsigned hash);

static pthread_spinlock_t locks[256];
static unsigned count;
int find(unsigned hash) {
  const unsigned i = hash & (count - 1);
  if (pthread_spin_trylock(locks + i) != 0)
    return look(hash);
  // CHECK-MESSAGES: :[[@LINE-2]]:7: warning: a computed number picks one of the locks in 'locks' here, and they are 4 bytes apart
  put(hash);
  pthread_spin_unlock(locks + i);
  return 1;
}

// A line each; all of them, one after the other; the first.
struct wide {
  pthread_spinlock_t lock;
} __attribute__((aligned(64)));
static struct wide far[256];
void take_far(unsigned hash) {
  struct wide *own = far + hash % 256;
  pthread_spin_lock(&own->lock);
  put(hash);
  pthread_spin_unlock(&own->lock);
}
static pthread_spinlock_t all[16];
void take_all(void) {
  for (unsigned i = 0; i < 16; ++i)
    pthread_spin_lock(all + i);
  put(0);
  for (unsigned i = 0; i < 16; ++i)
    pthread_spin_unlock(all + i);
}
static pthread_spinlock_t one[4];
void take_one(void) {
  pthread_spin_lock(one + 2);
  put(0);
  pthread_spin_unlock(one + 2);
}
