// RUN: %check_tidy %s linesman-lock-neighbour %t
//
// Arrays of records of several lines: only the ends of two neighbours meet.
#define _XOPEN_SOURCE 700
#include <pthread.h>

struct list;

// The count at the end of one class is on the line of the next one's lock.
struct size_class {
  pthread_mutex_t mutex;
  struct list *partial;
  struct list *empty;
  unsigned char numbers[64];
  unsigned long used;
  unsigned long count;
};
struct size_class classes[49];
unsigned long take(unsigned long size) {
  struct size_class *c = &classes[(size >> 4) & 31];
  pthread_mutex_lock(&c->mutex);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: a computed number picks one of the locks in 'classes' here, and they are 136 bytes apart: the end of one and the start of the next share a cache line of 64, so threads that take different locks still write one line; whole lines for each cost 56 bytes a lock
  c->count++;
  pthread_mutex_unlock(&c->mutex);
  return c->count;
}

// ---- From here on: nothing.

// Its fix.
struct wide_class {
  pthread_mutex_t mutex;
  struct list *partial;
  struct list *empty;
  unsigned char numbers[64];
  unsigned long used;
  unsigned long count;
} __attribute__((aligned(64)));
struct wide_class wide_classes[49];
void take_wide(unsigned long size) {
  struct wide_class *c = &wide_classes[(size >> 4) & 31];
  pthread_mutex_lock(&c->mutex);
  c->count++;
  pthread_mutex_unlock(&c->mutex);
}

// Nobody writes what is at the end.
struct named_class {
  pthread_mutex_t mutex;
  unsigned long count;
  unsigned char numbers[72];
  const char *name;
  unsigned long size;
};
struct named_class named_classes[49];
unsigned long take_named(unsigned long size) {
  struct named_class *c = &named_classes[(size >> 4) & 31];
  pthread_mutex_lock(&c->mutex);
  c->count++;
  pthread_mutex_unlock(&c->mutex);
  return c->size;
}

// The lock is in the middle.
struct inner_class {
  unsigned char numbers[72];
  pthread_mutex_t mutex;
  unsigned long used;
  unsigned long more;
  unsigned long count;
};
struct inner_class inner_classes[49];
void take_inner(unsigned long size) {
  struct inner_class *c = &inner_classes[(size >> 4) & 31];
  pthread_mutex_lock(&c->mutex);
  c->count++;
  pthread_mutex_unlock(&c->mutex);
}

// One after the other.
void take_all(void) {
  for (int i = 0; i != 49; ++i) {
    pthread_mutex_lock(&classes[i].mutex);
    classes[i].count++;
    pthread_mutex_unlock(&classes[i].mutex);
  }
}
