// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
// What a function writes to the elements of an array that it has just
// allocated is construction: no operation changes it afterwards.
#include <stdatomic.h>
#include <stddef.h>
void *calloc(size_t, size_t);

#define FIND(part)                                                                                                     \
  static long *part##_find(struct part *p, size_t hash) {                                                              \
    for (size_t i = 0; i < 8; i++)                                                                                     \
      if (p->slots[(hash + i) & p->mask] == (long)hash)                                                                \
        return &p->slots[(hash + i) & p->mask];                                                                        \
    return 0;                                                                                                          \
  }                                                                                                                    \
  long *part##_get(struct part##_table *t, size_t hash) {                                                              \
    struct part *p = &t->parts[hash % t->count];                                                                       \
    long *found = part##_find(p, hash);                                                                                \
    if (found)                                                                                                         \
      atomic_fetch_add(&p->hits, 1);                                                                                   \
    else                                                                                                               \
      atomic_fetch_add(&p->misses, 1);                                                                                 \
    return found;                                                                                                      \
  }
#define TABLE(part)                                                                                                    \
  struct part##_table {                                                                                                \
    struct part *parts;                                                                                                \
    size_t count;                                                                                                      \
  };

struct part {
  long *slots;
  size_t mask;
  atomic_ulong hits, misses;
};
TABLE(part)
int create_table(struct part_table *t, size_t n) {
  t->parts = calloc(n, sizeof(struct part));
  t->count = n;
  for (size_t i = 0; i < n; i++) {
    struct part *p = &t->parts[i];
    p->mask = 63;
    p->slots = calloc(64, sizeof(long));
  }
  return 0;
}
FIND(part)
// CHECK-MESSAGES: :[[@LINE-1]]:1: warning: 'part::hits' (offset 16) is updated here, in 'part_get', and may share its cache line with 'part::mask' (offset 8), which 'part_find' reads and no operation of this unit changes

// A line apart.
struct apart {
  long *slots;
  size_t mask;
  _Alignas(64) atomic_ulong hits;
  atomic_ulong misses;
};
TABLE(apart)
int create_apart(struct apart_table *t, size_t n) {
  t->parts = calloc(n, sizeof(struct apart));
  t->count = n;
  for (size_t i = 0; i < n; i++)
    t->parts[i].mask = 63, t->parts[i].slots = calloc(64, sizeof(long));
  return 0;
}
FIND(apart)

// The array was there before: others have it.
struct grown {
  long *slots;
  size_t mask;
  atomic_ulong hits, misses;
};
TABLE(grown)
int create_slots(struct grown_table *t, size_t hash, long *slots, size_t n) {
  struct grown *p = &t->parts[hash % t->count];
  p->slots = slots;
  p->mask = n - 1;
  return 0;
}
FIND(grown)

// Another array of the same function is new.
struct other {
  long *slots;
  size_t mask;
  atomic_ulong hits, misses;
};
struct other_table {
  struct other *parts;
  long *names;
  size_t count;
};
int create_names(struct other_table *t, size_t hash, long *slots, size_t n) {
  t->names = calloc(n, sizeof(long));
  t->parts[hash % t->count].slots = slots;
  t->parts[hash % t->count].mask = n - 1;
  return 0;
}
FIND(other)

// Somebody else set the pointer meanwhile.
struct again {
  long *slots;
  size_t mask;
  atomic_ulong hits, misses;
};
TABLE(again)
struct again *current(void);
int create_again(struct again_table *t, long *slots, size_t n) {
  t->parts = calloc(n, sizeof(struct again));
  t->parts = current();
  t->parts[n / 2].slots = slots;
  t->parts[n / 2].mask = n - 1;
  return 0;
}
FIND(again)
