// RUN: %check_tidy %s linesman-lock-neighbour %t
// Several fields that nobody changes are on the lock's line, and each has few
// readers: all of them come to the line.
typedef struct {
  int word;
} spinlock_t;
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);

struct region {
  spinlock_t lock;
  int free;
  long commands, answers, names, size;
};
static struct region shared;
int take(void) {
  int done = 0;
  spin_lock(&shared.lock);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'region::lock' (offset 0) is taken here, in 'take', and may share its cache line with 3 fields that nobody changes here, such as 'region::commands' (offset 8), and that 3 functions read without it: each attempt to take the lock makes their next access a miss; keep them a line apart [linesman-lock-neighbour]
  if (shared.free > 0) {
    shared.free--;
    done = 1;
  }
  spin_unlock(&shared.lock);
  return done;
}
void give(void) {
  spin_lock(&shared.lock);
  shared.free++;
  spin_unlock(&shared.lock);
}
char *command(long at) {
  if (at < 0)
    return 0;
  return (char *)&shared + shared.commands + at;
}
char *answer(long at) {
  if (at < 0)
    return 0;
  return (char *)&shared + shared.answers + at;
}
char *name(long at) {
  if (at < 0)
    return 0;
  return (char *)&shared + shared.names + at;
}

// Two readers; getters, of which nothing tells how often they are asked;
// fields that operations change; the same a line further; read with the lock.
#define REGION(name, ...)                                                                                              \
  static struct {                                                                                                      \
    spinlock_t lock;                                                                                                   \
    int free;                                                                                                          \
    __VA_ARGS__                                                                                                        \
  } name;                                                                                                              \
  int name##_take(void) {                                                                                              \
    spin_lock(&name.lock);                                                                                             \
    int got = name.free--;                                                                                             \
    spin_unlock(&name.lock);                                                                                           \
    return got;                                                                                                        \
  }                                                                                                                    \
  void name##_give(void) {                                                                                             \
    spin_lock(&name.lock);                                                                                             \
    name.free++;                                                                                                       \
    spin_unlock(&name.lock);                                                                                           \
  }
#define READER(region, field)                                                                                          \
  char *region##_##field(long at) {                                                                                    \
    if (at < 0)                                                                                                        \
      return 0;                                                                                                        \
    return (char *)&region + region.field + at;                                                                        \
  }
REGION(two, long a; long b;)
READER(two, a)
READER(two, b)
REGION(asked, long a; long b; long c;)
long asked_a(void) { return asked.a; }
long asked_b(void) { return asked.b; }
long asked_c(void) { return asked.c; }
REGION(changed, long a; long b; long c;)
READER(changed, a)
READER(changed, b)
READER(changed, c)
void changed_move(long by) { changed.a += by, changed.b += by, changed.c += by; }
REGION(apart, char room[128]; long a; long b; long c;)
READER(apart, a)
READER(apart, b)
READER(apart, c)
REGION(held, long a; long b; long c;)
#define HELD(field)                                                                                                    \
  char *held_##field(long at) {                                                                                        \
    spin_lock(&held.lock);                                                                                             \
    char *found = (char *)&held + held.field + at;                                                                     \
    spin_unlock(&held.lock);                                                                                           \
    return found;                                                                                                      \
  }
HELD(a)
HELD(b)
HELD(c)
