// RUN: %check_tidy %s linesman-lock-neighbour %t
// A type of the project's own that is called "spin", in records that a size
// picks.
typedef struct {
  volatile int word;
} spin_t;
static inline void spin_lock(spin_t *lock) {
  while (__sync_lock_test_and_set(&lock->word, 1))
    while (lock->word)
      ;
}
static inline void spin_unlock(spin_t *lock) {
  __sync_lock_release(&lock->word);
}
struct chunk {
  struct chunk *next;
};
struct bin {
  spin_t lock;
  unsigned count;
  struct chunk *free;
};
static struct bin bins[32];
static unsigned class_of(unsigned long size) { return (size + 15) >> 4; }
void release(struct chunk *chunk, unsigned long size) {
  struct bin *bin = &bins[class_of(size)];
  spin_lock(&bin->lock);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: a computed number picks one of the locks in 'bins' here, and they are 16 bytes apart
  chunk->next = bin->free;
  bin->free = chunk;
  bin->count++;
  spin_unlock(&bin->lock);
}

// With a line for each; a count of turns that is called "spin" is no lock.
struct wide_bin {
  spin_t lock;
  struct chunk *free;
} __attribute__((aligned(64)));
static struct wide_bin wide_bins[32];
void release_wide(struct chunk *chunk, unsigned long size) {
  struct wide_bin *bin = &wide_bins[class_of(size)];
  spin_lock(&bin->lock);
  chunk->next = bin->free;
  bin->free = chunk;
  spin_unlock(&bin->lock);
}
// So is a message, or what is more than a word.
typedef struct {
  double angle;
  char name[16];
} long_spin_t;
typedef struct {
  double speed;
} fast_spin_t;
struct ball {
  long_spin_t spin;
  fast_spin_t speed;
  int hits;
};
static struct ball balls[32];
void rub(long_spin_t *spin, fast_spin_t *speed);
void hit(unsigned long size) {
  struct ball *ball = &balls[class_of(size)];
  rub(&ball->spin, &ball->speed);
  ball->hits++;
}
struct turn {
  int spin;
  int angle;
};
static struct turn turns[32];
void turn(unsigned long size) { turns[class_of(size)].spin++; }
